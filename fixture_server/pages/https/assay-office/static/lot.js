(async () => {
  const finding = document.getElementById("finding");
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const ask = async () => {
    const answer = await fetch("fixture://assay-office/furnace/cream-jug.json");
    return answer.ok ? answer.json() : { state: "silent" };
  };

  let found = await ask();
  while (found.state === "melting") {
    await rest(400);
    found = await ask();
  }
  const line = document.createElement("p");
  line.textContent =
    found.state === "done"
      ? `${found.sentence} Signed: ${found.signed}.`
      : "The furnace room does not answer. Please ask at the counter.";
  finding.replaceChildren(finding.querySelector("h2"), line);
  finding.removeAttribute("aria-busy");
})();
