(() => {
  const lines = [
    "The next firing begins on {{fact:FD02.firing:date-long|14 June 2027}}.",
    "Whoever wants a brick with a paw in it brings the paw before noon.",
    "Ash is free. Clinker is not, since somebody built a house of it.",
    "The kiln is opened when a straw that is held before the spy hole no longer curls, and not before, whatever the weather says.",
  ];
  const heading = document.createElement("h1");
  heading.textContent = "The next firing";
  document.getElementById("kiln").append(heading, ...lines.map((line) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    return paragraph;
  }));
})();
