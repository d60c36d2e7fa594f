// A server in Node, without packages.
import { createServer } from "node:http";

createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", async () => {
    const { prompt } = JSON.parse(body);
    const page = prompt.startsWith("http") ? await (await fetch(prompt)).text() : prompt.toUpperCase();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ schema: "webretrieval.result/2", status: "answered", answer: page }));
  });
}).listen(Number(process.argv[2] ?? process.env.PORT), "localhost");
