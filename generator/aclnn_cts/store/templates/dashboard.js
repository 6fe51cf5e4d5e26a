// Draws the strips of runs, filters tables, and moves along strips by keys.
"use strict";
(() => {
  const STATES = { F: "bad", C: "bad", T: "bad", "~": "bad", w: "warn", "?": "warn", "!": "warn", ".": "good" };
  const letters = JSON.parse(document.getElementById("letters").textContent) || {};

  function cell(letter, [id, started, cann, host, label, link]) {
    const made = document.createElement(link ? "a" : "span");
    if (link) made.href = link;
    made.className = `run ${STATES[letter] || "note"}`;
    made.id = id;
    made.textContent = letter;
    const told = `run ${id}${label ? ` (${label})` : ""}, ${started}, CANN ${cann || "unknown"}, ${host}: ${letter}`;
    made.title = told;
    made.setAttribute("aria-label", told);
    made.tabIndex = -1;
    return made;
  }

  for (const strip of document.querySelectorAll(".strip")) {
    const product = strip.dataset.product;
    const rows = new Map();
    [...letters[product]].forEach((letter, place) => {
      if (letter === " ") return;
      const run = RUNS[product][place];
      const cann = run[2] || "unknown";
      if (!rows.has(cann)) {
        const row = document.createElement("p");
        const name = document.createElement("span");
        name.className = "version";
        name.textContent = `CANN ${cann}`;
        row.append(name);
        rows.set(cann, row);
      }
      rows.get(cann).append(cell(letter, run));
    });
    strip.append(...rows.values());
    const cells = [...strip.querySelectorAll(".run")];
    // One stop of the tab key for a strip; the arrows go on from there.
    if (cells.length) cells[cells.length - 1].tabIndex = 0;
    strip.addEventListener("keydown", (event) => {
      const at = cells.indexOf(document.activeElement);
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cells.length - 1 }[event.key];
      if (at < 0 || to === undefined || !cells[to]) return;
      event.preventDefault();
      cells[at].tabIndex = -1;
      cells[to].tabIndex = 0;
      cells[to].focus();
    });
  }

  document.getElementById(location.hash.slice(1))?.focus();

  const filter = document.getElementById("filter");
  if (!filter) return;
  const only = document.getElementById("failing");
  const table = document.querySelector("table.filtered");
  const rows = [...table.querySelectorAll("tbody tr:not(.total)")];
  const texts = rows.map((row) => row.textContent.toLowerCase());

  function apply() {
    const sought = filter.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !texts[place].includes(sought) || (only.checked && !row.classList.contains("failing"));
      shown += row.hidden ? 0 : 1;
    });
    for (const body of table.tBodies) body.hidden = !body.querySelector("tr:not(.total):not([hidden])");
    table.classList.toggle("folds", !sought);
    document.getElementById("shown").textContent = `${shown} of ${rows.length}`;
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest(".total button");
    if (!button) return;
    const folded = button.closest("tbody").classList.toggle("folded");
    button.setAttribute("aria-expanded", String(!folded));
  });
  filter.addEventListener("input", apply);
  only.addEventListener("input", apply);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== filter) {
      event.preventDefault();
      filter.focus();
    } else if (event.key === "Escape" && document.activeElement === filter) {
      filter.value = "";
      apply();
      filter.blur();
    }
  });
  apply();
})();
