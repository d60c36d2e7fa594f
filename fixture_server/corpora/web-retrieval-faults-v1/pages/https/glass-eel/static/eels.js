(async () => {
  const section = document.getElementById("count");
  const line = document.createElement("p");
  try {
    const told = await (await fetch("fixture://glass-eel/data/night.json")).json();
    line.textContent = told.sentence;
  } catch {
    line.textContent = "The lamp has gone out.";
  }
  section.replaceChildren(line);
  section.removeAttribute("aria-busy");
})();
