(async () => {
  const app = document.getElementById("app");
  const answer = await fetch("fixture://swim-hall/data/basin.json", { headers: { accept: "application/json" } });
  const news = await answer.json();
  const add = (parent, name, text, mark) => {
    const node = document.createElement(name);
    if (text) node.textContent = text;
    if (mark) node.className = mark;
    return parent.appendChild(node);
  };
  const head = add(app, "header");
  const home = add(add(head, "p"), "a", news.site);
  home.href = "fixture://swim-hall/";
  const main = add(app, "main");
  add(main, "h1", news.title);
  for (const line of news.lines) add(main, "p", line);
  add(main, "p", news.signed, "stand");
  document.title = `${news.title} | ${news.site}`;
})();
