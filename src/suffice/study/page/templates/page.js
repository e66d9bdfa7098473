"use strict";
(() => {
  const all = (where, what) => Array.from(where.querySelectorAll(what));

  // -- sortable tables: a button in every heading; numbers by data-v, words by their text, gaps last
  const key = (row, at) => {
    const cell = row.cells[at];
    if (cell.dataset.v === undefined) return cell.textContent.trim().toLowerCase();
    const number = Number.parseFloat(cell.dataset.v);
    return Number.isNaN(number) ? null : number;
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }));
  const sort = (table, heading) => {
    const at = heading.cellIndex, down = heading.getAttribute("aria-sort") === "ascending";
    all(table, "thead th").forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = all(table.tBodies[0], "tr").map((row) => ({ row, key: key(row, at) }));
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return down ? compare(b.key, a.key) : compare(a.key, b.key);
    });
    rows.forEach(({ row }) => table.tBodies[0].append(row));
  };
  all(document, "table.sortable").forEach((table) => {
    all(table, "thead th").filter((heading) => heading.dataset.plain === undefined).forEach((heading) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "Sort by this column";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, heading));
      heading.append(button);
    });
  });

  // -- a table that fits is no stop of the keyboard
  const fit = () => all(document, ".scroll").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  });
  fit();
  addEventListener("resize", fit);

  // -- threshold slider: the confusion matrix and its rates at every threshold
  const box = document.getElementById("threshold");
  if (box) {
    const counts = JSON.parse(box.dataset.counts), slider = box.querySelector("#cut");
    const whole = (n) => (n >= 1e4 ? n.toLocaleString("en-US", { maximumFractionDigits: 1 })
      : String(Math.round(n * 10) / 10));
    const percent = (part, of) => (of > 0 ? `${((100 * part) / of).toFixed(1)}\u202f%` : "–");
    const show = () => {
      const at = Number(slider.value), now = {};
      for (const name of Object.keys(counts)) now[name] = counts[name][at];
      const { tp, fp, tn, fn } = now, level = now.t.toFixed(2);
      for (const name of ["tp", "fp", "tn", "fn"]) box.querySelector(`[data-cell="${name}"]`).textContent = whole(now[name]);
      box.querySelector('[data-cell="t"]').textContent = level;
      box.querySelector("output").textContent = level;
      slider.setAttribute("aria-valuetext", level);
      const rates = { accuracy: percent(tp + tn, tp + fp + tn + fn), precision: percent(tp, tp + fp),
        recall: percent(tp, tp + fn), "false alarms": percent(fp, fp + tn) };
      for (const name of Object.keys(rates)) box.querySelector(`[data-rate="${name}"]`).textContent = rates[name];
    };
    box.querySelector(".control").hidden = false;
    slider.addEventListener("input", show);
    show();
  }

  // -- copy the program; where a page may not write to the clipboard, select it
  const copy = document.getElementById("copy"), script = document.getElementById("script");
  if (copy && script) {
    copy.hidden = false;
    copy.addEventListener("click", () => {
      const select = () => {
        getSelection().selectAllChildren(script);
        copy.textContent = "Selected";
      };
      if (!navigator.clipboard) return select();
      return navigator.clipboard.writeText(script.textContent).then(() => { copy.textContent = "Copied"; }, select);
    });
  }

  // -- a link to a folded part opens it
  const unfold = () => {
    const part = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = part && part.querySelector(":scope > details");
    if (fold && !fold.open) {
      fold.open = true;
      part.scrollIntoView();
    }
  };
  unfold();
  addEventListener("hashchange", unfold);
  all(document, "nav a").forEach((link) => link.addEventListener("click", () => setTimeout(unfold)));
  all(document, "details").forEach((fold) => fold.addEventListener("toggle", fit));

  // -- paper shows what a click would
  addEventListener("beforeprint", () => all(document, "details").forEach((part) => { part.open = true; }));

  // -- the list of sections shows where the reader is
  const links = new Map(all(document, "nav a").map((link) => [link.hash.slice(1), link]));
  if ("IntersectionObserver" in window) {
    const watch = new IntersectionObserver((seen) => seen.forEach((entry) => {
      const link = links.get(entry.target.id);
      if (link && entry.isIntersecting) {
        links.forEach((other) => { other.classList.remove("here"); other.removeAttribute("aria-current"); });
        link.classList.add("here");
        link.setAttribute("aria-current", "true");
      }
    }), { rootMargin: "-10% 0px -80% 0px" });
    all(document, "main > section").forEach((section) => watch.observe(section));
  }
})();
