// A research agent behind HTTP: the OpenAI SDK for Node, Serper for search, the built-in fetch for pages.
// POST /answer {"prompt": "..."} -> {"answer": "...", "sources": [{"url": "..."}]}
import { createServer } from "node:http";
import OpenAI from "openai";

const openai = new OpenAI();
const instructions =
  "Answer from the web. Search, open the page, then answer in one or two sentences with a markdown link to the page " +
  "after each statement. If a page cannot be had, say why.";

const tools = [
  {
    type: "function",
    function: {
      name: "google",
      description: "Search Google. Returns organic results.",
      parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    },
  },
  {
    type: "function",
    function: {
      name: "open_page",
      description: "Open a web page by URL and return its text.",
      parameters: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    },
  },
];

async function google({ query }) {
  const response = await fetch("https://google.serper.dev/search", {
    method: "POST",
    headers: { "X-API-KEY": process.env.SERPER_API_KEY, "content-type": "application/json" },
    body: JSON.stringify({ q: query, num: 6 }),
  });
  if (!response.ok) throw new Error(`search failed: ${response.status}`);
  const { organic } = await response.json();
  return JSON.stringify(organic.map(({ title, link, snippet }) => ({ title, link, snippet })));
}

async function open_page({ url }) {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) return `HTTP ${response.status} ${response.statusText}: ${text.slice(0, 300)}`;
  return `${response.url}\n` + text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .slice(0, 12000);
}

const handlers = { google, open_page };

async function answer(prompt) {
  const messages = [{ role: "system", content: instructions }, { role: "user", content: prompt }];
  for (let turn = 0; turn < 10; turn++) {
    const stream = openai.chat.completions.stream({ model: "gpt-5-mini", messages, tools });
    const { message } = (await stream.finalChatCompletion()).choices[0];
    messages.push(message);
    if (!message.tool_calls?.length) return message.content;
    for (const call of message.tool_calls) {
      let content;
      try {
        content = await handlers[call.function.name](JSON.parse(call.function.arguments));
      } catch (error) {
        content = `error: ${error.message}`;
      }
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  return "I could not find out.";
}

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  try {
    const text = await answer(JSON.parse(body).prompt);
    response.setHeader("content-type", "text/plain; charset=utf-8");
    response.end(text);
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}).listen(3000);
