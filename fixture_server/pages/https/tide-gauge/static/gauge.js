(() => {
  const said = document.getElementById("said");
  const line = new WebSocket("fixture://tide-gauge/wire/float".replace("https:", "wss:"));
  line.addEventListener("message", (event) => {
    said.textContent = event.data;
  });
  line.addEventListener("close", () => {
    said.textContent += " (the reader has gone home)";
  });
})();
