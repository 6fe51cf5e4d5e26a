// SPDX-License-Identifier: Apache-2.0
"use strict";
// The page's script: the table of all cases, filters, links and keys. All else is there without it.
(() => {
  const PAGE = 100;
  const byId = (id) => document.getElementById(id);
  const make = (tag, facts = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), facts);
    element.append(...children);
    return element;
  };

  // ---- the data ----
  const data = JSON.parse(byId("data").textContent);
  const place = Object.fromEntries(data.columns.map((name, index) => [name, index]));
  const cases = data.cases.map((row) => {
    const get = (name) => row[place[name]];
    const run = data.runs[get("run")];
    const verdict = data.names[get("verdict")];
    const broken = data.sets[get("broken")].map((clause) => data.clauses[clause]);
    const item = {
      run: run.label, id: get("id"), operator: data.names[get("operator")], verdict,
      dtype: data.names[get("dtype")], scene: data.names[get("scene")], broken,
      exercised: data.sets[get("exercised")], share: get("share"), ulp: get("ulp"),
      milliseconds: get("milliseconds"), device: get("device"), told: get("told"), message: get("message"),
      state: data.states[verdict],
    };
    item.key = data.alone ? item.id : `${item.run}/${item.id}`;
    item.command = get("behind") || run.command + item.id;  // a case may fail only behind others
    item.text = [item.key, item.operator, item.message, ...broken].join(" ").toLowerCase();
    return item;
  });
  const severity = { bad: 0, warn: 1, note: 2, good: 3 };
  const names = new Map(data.clauses.map((clause, index) => [clause, index]));
  const tests = (item, clause) =>
    data.sets.length > 0 && (item.exercised.includes(names.get(clause)) || item.broken.includes(clause));

  // ---- what is shown, as the address tells it: #cases&operator=…&q=… ----
  const FILTERS = ["verdict", "operator", "run", "dtype", "scene", "clause"];
  const LABELS = { verdict: "verdict", operator: "operator", run: "run", dtype: "data type", scene: "scene", clause: "clause" };
  const COLUMNS = [
    ["verdict", "verdict", (item) => severity[item.state] * 10 + item.verdict.length],
    ["case", "id", (item) => item.key],
    ["of the budget", "share", (item) => beyond(item.share)],
    ["worst ulp", "ulp", (item) => beyond(item.ulp)],
    ["device, µs", "device", (item) => item.device ?? -1],
    ["host, ms", "milliseconds", (item) => item.milliseconds],
  ];
  const beyond = (value) => (value === null ? -1 : value < 0 ? Infinity : value);
  let view = {};
  let sorting = ["verdict", 1];
  let matches = [];
  let shown = 0;
  let current = -1;

  const part = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  function parse(hash) {
    const [kind, ...rest] = hash.replace(/^#/, "").split("&");
    const found = {};
    for (const pair of rest) {
      const at = pair.indexOf("=");
      if (at > 0) found[part(pair.slice(0, at))] = part(pair.slice(at + 1));
    }
    return [part(kind), found];
  }
  function address() {
    const pairs = [...FILTERS, "q"].filter((name) => view[name]);
    return ["#cases", ...pairs.map((name) => `${name}=${encodeURIComponent(view[name])}`)].join("&");
  }
  const remember = () => history.replaceState(null, "", address());

  // ---- the table of cases ----
  function select() {
    const words = (view.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    matches = cases.filter((item) =>
      FILTERS.every((name) => !view[name] || (name === "clause" ? tests(item, view.clause) : item[name] === view[name])) &&
      words.every((word) => item.text.includes(word)));
    const [, , value] = COLUMNS.find(([, name]) => name === sorting[0]);
    matches = matches.map((item, index) => [value(item), index, item]).sort((a, b) =>
      (a[0] < b[0] ? -sorting[1] : a[0] > b[0] ? sorting[1] : a[1] - b[1])).map((each) => each[2]);
    shown = 0;
    current = -1;
    byId("rows").replaceChildren();
    showMore();
    const failing = matches.filter((item) => item.state === "bad").length;
    byId("count").textContent = `${matches.length.toLocaleString("en")} of ${cases.length.toLocaleString("en")} case${cases.length === 1 ? "" : "s"}` +
      (failing ? `, ${failing.toLocaleString("en")} failing` : "");
    for (const name of FILTERS) {
      const list = byId(`filter-${name}`);
      if (list) { list.value = view[name] ?? ""; list.classList.toggle("set", Boolean(view[name])); }
    }
    if (document.activeElement !== byId("search")) byId("search").value = view.q ?? "";
  }
  function showMore() {
    const rows = matches.slice(shown, shown + PAGE).map((item, offset) => rowOf(item, shown + offset));
    byId("rows").append(...rows);
    shown += rows.length;
    byId("more").hidden = shown >= matches.length;
    byId("more").textContent = `Show more (${(matches.length - shown).toLocaleString("en")} left)`;
  }
  const figure = (value, told) => (value === null ? "–" : value < 0 ? "wrong class" : told(value));
  // As wording.of_budget has it.
  const ofBudget = (share) => share < 10 ? `${(100 * share).toFixed(0)}%`
    : `${share < 1000 ? share.toFixed(0) : share.toExponential(0).replace("e+", "e")} times`;
  function rowOf(item, index) {
    const chip = make("span", { className: `chip ${item.state}`, textContent: item.verdict });
    const name = make("td", {}, make("button", { type: "button", textContent: item.id }));
    if (!data.alone) name.append(make("span", { className: "run", textContent: item.run }));
    if (item.message) name.append(make("span", { className: "place", textContent: item.message }));
    const number = (text) => make("td", { className: "number", textContent: text });
    const row = make("tr", { className: "row" }, make("td", {}, chip), name,
      number(figure(item.share, ofBudget)),
      number(figure(item.ulp, (value) => value.toPrecision(3))),
      number(item.device === null ? "–" : item.device.toPrecision(3)), number(item.milliseconds.toFixed(2)));
    row.dataset.key = item.key;
    row.firstChild.nextSibling.firstChild.setAttribute("aria-expanded", "false");
    row.addEventListener("click", () => { mark(index, false); toggle(row, item); });
    return row;
  }
  function toggle(row, item, open = !row.nextElementSibling?.classList.contains("opened")) {
    const was = row.nextElementSibling?.classList.contains("opened");
    row.querySelector("button").setAttribute("aria-expanded", String(open));
    if (was && !open) { row.nextElementSibling.remove(); return; }
    if (was || !open) return;
    const cell = make("td", { colSpan: COLUMNS.length }, storyOf(item));
    row.after(make("tr", { className: "opened" }, cell));
    history.replaceState(null, "", `#case=${encodeURIComponent(item.key).replaceAll("%2F", "/")}`);
  }
  function storyOf(item) {
    const told = document.querySelector(`details.case[data-key="${CSS.escape(item.key)}"] > .story`);
    const story = told ? told.cloneNode(true) : make("div", { className: "story" });
    if (!told) {
      const command = make("pre", { className: "command", textContent: item.command });
      story.append(command);
    }
    for (const old of story.querySelectorAll(".command button")) old.remove();
    story.querySelectorAll(".command").forEach(offerCopy);
    const links = make("p", { className: "links" }, `scene ${item.scene}; tests `);
    for (const clause of item.exercised.map((each) => data.clauses[each])) {
      links.append(make("a", { href: `#clause=${clause}`, textContent: clause.split("/")[1] }));
    }
    story.append(links);
    return story;
  }
  // What reaches beyond the right edge fades there, also where the system shows no scroll bars.
  function fadeWhereCut(box) {
    const fade = () => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
    box.addEventListener("scroll", fade, { passive: true });
    new ResizeObserver(fade).observe(box);
  }

  function mark(index, scroll = true) {
    while (index >= shown && shown < matches.length) showMore();
    current = Math.max(0, Math.min(index, matches.length - 1));
    document.querySelectorAll("tr.current").forEach((row) => row.classList.remove("current"));
    const row = byId("rows").querySelectorAll("tr.row")[current];
    if (!row) return;
    row.classList.add("current");
    if (scroll) {
      row.querySelector("button").focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest" });
    }
  }

  // ---- links ----
  function reveal(element) {
    for (let outer = element; outer; outer = outer.parentElement) if (outer.tagName === "DETAILS") outer.open = true;
    element.hidden = false;
    element.scrollIntoView({ block: "start" });
    document.querySelectorAll(".marked").forEach((old) => old.classList.remove("marked"));
    element.classList.add("marked");
  }
  function follow() {
    const [kind, found] = parse(location.hash);
    if (kind === "clauses" && found.state) showClauses(found.state);
    if (kind === "heat-map" && found.q) { byId("heat-search").value = found.q; findOperators(); }
    if (kind === "clauses" || kind === "heat-map") byId(kind).scrollIntoView({ block: "start" });
    if (kind === "cases") {
      view = found;
      select();
      if (Object.keys(found).length) byId("cases").scrollIntoView({ block: "start" });
      return;
    }
    const element = document.getElementById(kind);
    if (element && (kind.startsWith("case=") || kind.startsWith("clause="))) {
      if (kind.startsWith("clause=")) showClauses("");
      reveal(element);
    } else if (kind.startsWith("case=")) {
      openCase(kind.slice("case=".length));
    }
  }
  function openCase(key) {
    const item = cases.find((each) => each.key === key) ?? cases.find((each) => each.id === key);
    if (!item) { view = { q: key }; select(); byId("cases").scrollIntoView(); return; }
    if (!matches.includes(item)) { view = {}; select(); }
    const index = matches.indexOf(item);
    mark(index, false);
    const row = byId("rows").querySelectorAll("tr.row")[index];
    toggle(row, item, true);
    row.scrollIntoView({ block: "start" });
  }

  // ---- clauses ----
  function showClauses(state) {
    for (const button of document.querySelectorAll("#clause-filters button")) {
      button.setAttribute("aria-pressed", String(button.dataset.state === state));
    }
    for (const operator of document.querySelectorAll("details.operator")) {
      let any = false;
      for (const row of operator.querySelectorAll("tr[data-state]")) {
        row.hidden = Boolean(state) && row.dataset.state !== state;
        any ||= !row.hidden;
      }
      operator.hidden = !any;
      if (state) operator.open = any;
    }
  }

  // ---- the heat map ----
  const heatRows = [...document.querySelectorAll("#heat tbody tr:not(.total)")];
  const heatTexts = heatRows.map((row) => row.cells[0].textContent.toLowerCase());
  function findOperators() {
    const words = byId("heat-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    heatRows.forEach((row, index) => {
      row.hidden = !words.every((word) => heatTexts[index].includes(word));
      count += !row.hidden;
    });
    byId("heat").classList.toggle("folds", words.length === 0);
    for (const body of byId("heat").tBodies) body.hidden = !body.querySelector("tr:not(.total):not([hidden])");
    byId("heat-count").textContent = words.length ? `${count} of ${heatRows.length} operators` : "";
  }
  function fold(event) {
    const button = event.target.closest(".total button");
    if (!button) return;
    const folded = button.closest("tbody").classList.toggle("folded");
    button.setAttribute("aria-expanded", String(!folded));
  }
  function walk(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const cell = event.target.closest("td, th");
    if (!step || !cell) return;
    event.preventDefault();
    let [row, column] = [cell.parentElement, cell.cellIndex];
    const rows = [...byId("heat").rows].filter((each) => each.offsetParent);
    for (let target; ;) {
      row = rows[rows.indexOf(row) + step[0]];
      column += step[1];
      if (!row || !row.cells[column]) return;
      target = row.cells[column].querySelector("a, button") ?? (step[0] && row.querySelector("a, button"));
      if (target) { target.focus(); return; }
    }
  }

  // ---- tables that can be sorted ----
  function sortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const way = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending");
        const body = table.tBodies[0];
        const value = (row) => {
          const text = row.cells[column].textContent.trim();
          if (!head.classList.contains("number")) return text;
          if (text === "wrong class") return Infinity;
          const number = parseFloat(text.replaceAll(",", ""));
          return Number.isNaN(number) ? -Infinity : text.endsWith(" times") ? number * 100 : number;
        };
        const rows = [...body.rows].map((row) => [value(row), row]);
        rows.sort((a, b) => (a[0] < b[0] ? -way : a[0] > b[0] ? way : 0));
        body.append(...rows.map((each) => each[1]));
      });
    });
  }

  // ---- light and dark ----
  const stored = (() => { try { return localStorage.getItem("aclnn-cts-theme"); } catch { return null; } })();
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
  function switchTheme() {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    const theme = dark ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    // Where a page from a file may keep nothing, the choice lasts as long as the page.
    try { localStorage.setItem("aclnn-cts-theme", theme); } catch { return; }
  }

  function offerCopy(command) {
    if (!navigator.clipboard) return;
    const text = command.textContent;
    const button = make("button", { type: "button", textContent: "Copy" });
    button.addEventListener("click", async (event) => {
      event.stopPropagation();
      try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; }
      catch { button.textContent = "Select it"; }
    });
    command.append(button);
  }

  // ---- setting up ----
  function filters() {
    for (const name of FILTERS) {
      const values = name === "clause" ? data.clauses : [...new Set(cases.map((item) => item[name]))];
      if (values.length < 2 && name !== "verdict") continue;
      const list = make("select", { id: `filter-${name}` }, make("option", { value: "", textContent: `any ${LABELS[name]}` }));
      list.setAttribute("aria-label", LABELS[name]);
      for (const value of [...values].sort()) list.append(make("option", { value, textContent: value }));
      list.addEventListener("change", () => { view[name] = list.value; select(); remember(); });
      byId("selects").append(list);
    }
  }
  function heads() {
    for (const [label, name] of COLUMNS) {
      const button = make("button", { type: "button", textContent: label });
      const head = make("th", { scope: "col", className: ["verdict", "id"].includes(name) ? "" : "number" }, button);
      button.addEventListener("click", () => {
        sorting = [name, sorting[0] === name ? -sorting[1] : ["verdict", "id"].includes(name) ? 1 : -1];
        for (const other of byId("heads").cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sorting[1] === 1 ? "ascending" : "descending");
        select();
      });
      byId("heads").append(head);
    }
  }
  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "Escape") return escape(typing);
    if (typing || byId("keys").open) return;
    const actions = {
      o: () => { byId("heat-map").scrollIntoView({ block: "start" }); byId("heat-search").focus({ preventScroll: true }); },
      "/": () => { byId("cases").scrollIntoView({ block: "start" }); byId("search").focus({ preventScroll: true }); },
      j: () => mark(current + 1), k: () => mark(current - 1), t: switchTheme, "?": () => byId("keys").showModal(),
    };
    if (actions[event.key]) { event.preventDefault(); actions[event.key](); }
  }
  function escape(typing) {
    const search = byId("search");
    const heatSearch = byId("heat-search");
    if (byId("keys").open) return;
    if (document.activeElement === heatSearch && heatSearch.value) { heatSearch.value = ""; findOperators(); }
    else if (document.activeElement === search && search.value) { search.value = ""; view.q = ""; select(); remember(); }
    else if (typing) document.activeElement.blur();
    else document.querySelectorAll("tr.opened").forEach((opened) => toggle(opened.previousElementSibling, null, false));
  }
  function observe() {
    const links = new Map([...document.querySelectorAll(".bar nav a")].map((link) => [link.hash.slice(1), link]));
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        links.forEach((link) => link.removeAttribute("aria-current"));
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-20% 0px -70% 0px" });
    document.querySelectorAll("main > section").forEach((section) => watcher.observe(section));
  }

  filters();
  heads();
  select();
  byId("unscripted").hidden = true;
  byId("explorer").hidden = false;
  byId("clause-filters").hidden = false;
  byId("heat-tools").hidden = false;
  byId("heat").classList.add("folds");
  byId("heat").addEventListener("click", fold);
  byId("heat").addEventListener("keydown", walk);
  byId("heat-search").addEventListener("input", findOperators);
  document.querySelector(".tools").hidden = false;
  byId("search").addEventListener("input", (event) => { view.q = event.target.value; select(); remember(); });
  for (const form of document.querySelectorAll(".toolbar")) form.addEventListener("submit", (event) => event.preventDefault());
  document.querySelector("#explorer .toolbar").addEventListener("reset", (event) => { event.preventDefault(); view = {}; byId("search").value = ""; select(); remember(); });
  byId("more").addEventListener("click", showMore);
  byId("theme").addEventListener("click", switchTheme);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("clause-filters").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) showClauses(button.dataset.state);
  });
  document.querySelectorAll("table.sortable").forEach(sortable);
  document.querySelectorAll("details.case .command").forEach(offerCopy);
  document.querySelectorAll(".scroll").forEach(fadeWhereCut);
  document.addEventListener("keydown", keys);
  // Paper cannot be unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details.operator:not([open]), details.rest:not([open]), .group > details.case:nth-of-type(1):not([open])")];
    folded.forEach((each) => { each.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((each) => { each.open = false; }));
  addEventListener("hashchange", follow);
  observe();
  follow();
})();
