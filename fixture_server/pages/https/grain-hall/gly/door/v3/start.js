(() => {
  const line = document.getElementById("gly-line");
  const ring = document.getElementById("gly-ring");
  const box = document.createElement("label");
  box.innerHTML = '<input type="checkbox"> Verify you are human';
  let tries = 0;

  const ask = () => {
    ring.hidden = true;
    box.firstChild.checked = false;
    line.after(box);
    line.textContent = tries ? "That did not work. Please try once more." : "Verify you are human by completing the action below.";
  };

  box.addEventListener("change", () => {
    tries += 1;
    box.remove();
    ring.hidden = false;
    line.textContent = "Verifying...";
    setTimeout(ask, 1500);
  });
  setTimeout(ask, 1000);
})();
