(() => {
  const list = document.getElementById("list");
  const foot = document.getElementById("more");
  let next = "fixture://boat-broker/data/pontoon-a.json";
  let busy = false;

  const show = (boat) => {
    const card = document.createElement("article");
    card.className = "boat";
    const name = document.createElement("h2");
    name.textContent = boat.name;
    const line = document.createElement("p");
    line.textContent = boat.line;
    card.append(name, line);
    list.append(card);
  };

  const more = async () => {
    if (busy || !next) return;
    busy = true;
    const part = await (await fetch(next)).json();
    part.boats.forEach(show);
    next = part.next;
    busy = false;
    if (!next) {
      watch.disconnect();
      foot.textContent = "That is all of them.";
    }
  };

  const watch = new IntersectionObserver((seen) => {
    if (seen.some((one) => one.isIntersecting)) more();
  });
  watch.observe(foot);
})();
