(async () => {
  const board = document.getElementById("board");
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  let answer = await fetch("fixture://tram-depot/data/night.json");
  for (let turn = 0; !answer.ok && turn < 3; turn += 1) {
    await rest(300);
    answer = await fetch("fixture://tram-depot/data/night.json");
  }
  const told = answer.ok ? await answer.json() : { title: "The board is dark", lines: [] };
  const heading = document.createElement("h1");
  heading.textContent = told.title;
  board.append(heading);
  for (const line of told.lines) {
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    board.append(paragraph);
  }
  document.title = `${told.title} | Tram Depot, Sidings Lane`;
})();
