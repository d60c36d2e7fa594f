(() => {
  const story = document.getElementById("story");
  const sheet = document.querySelector(".sheet");

  const read = async () => {
    const answer = await fetch(story.dataset.story);
    story.innerHTML = await answer.text();
    sheet.remove();
    document.body.classList.remove("held");
  };

  // A browser that keeps nothing may read all the same.
  const kept = (choice) => {
    try {
      if (choice) localStorage.setItem("reader", choice);
      return localStorage.getItem("reader");
    } catch {
      return choice;
    }
  };

  if (kept()) {
    read();
    return;
  }
  sheet.addEventListener("click", (event) => {
    const choice = event.target.dataset.choice;
    if (!choice) return;
    kept(choice);
    read();
  });
})();
