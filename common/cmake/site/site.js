// The site's script: the contents on a phone, buttons that copy code, and a search that needs no server.
(() => {
  const up = document.currentScript.dataset.up || "";

  const menu = document.querySelector("button.menu");
  menu.addEventListener("click", () => {
    const open = document.body.classList.toggle("menu-open");
    menu.setAttribute("aria-expanded", open);
  });

  const here = document.querySelector(".side [aria-current]");
  const side = document.querySelector(".side");
  if (here && here.offsetTop > side.clientHeight - 80) side.scrollTop = here.offsetTop - side.clientHeight / 2;

  // A hint or a folder that a link leads into opens.
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", openTarget);
  if (location.hash) openTarget();

  // On paper recorded output is open; hints stay closed.
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("main details:not(.folder)"))
      if (!part.querySelector("summary").textContent.startsWith("Hint")) part.open = true;
  });

  for (const code of document.querySelectorAll(".fragment:not(.source):not(.report)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = [...code.querySelectorAll(".line")].map((line) => line.textContent).join("\n");
      await navigator.clipboard.writeText(text + "\n");
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    const box = document.createElement("div");
    box.className = "code-box";
    code.replaceWith(box);
    box.append(code, button);
  }

  // Search: every word must occur. A word in a heading counts more than one in the text, a
  // lecture more than a file.
  const input = document.getElementById("search"), results = document.getElementById("results");
  const load = () => {
    if (window.searchIndex || document.getElementById("search-index")) return;
    const script = document.createElement("script");
    script.id = "search-index";
    script.src = up + "search_index.js";
    script.onload = search;
    document.head.append(script);
  };
  const score = (entry, words) => {
    let sum = 0;
    const [, page, heading, text] = entry.lower;
    for (const word of words) {
      const points = (heading.includes(word) ? 8 : 0) + (page.includes(word) ? (heading ? 4 : 9) : 0) + (text.includes(word) ? 1 : 0);
      if (!points) return 0;
      sum += points + (heading.startsWith(word) ? 4 : 0);
    }
    return entry[0].startsWith("source/") ? sum / 12 : sum;
  };
  const excerpt = (entry, words) => {
    const at = Math.max(0, ...words.map((word) => entry.lower[3].indexOf(word)));
    return (at > 40 ? "... " : "") + entry[3].slice(Math.max(0, at - 40), at + 80);
  };
  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0 || !window.searchIndex;
    if (results.hidden) return;
    for (const entry of window.searchIndex) entry.lower ||= entry.map((part) => part.toLowerCase());
    const found = window.searchIndex.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
    found.sort((a, b) => b[0] - a[0]);
    results.replaceChildren();
    for (const [, entry] of found.slice(0, 12)) {
      const link = document.createElement("a"), where = document.createElement("b"), what = document.createElement("span");
      link.href = up + entry[0];
      where.textContent = entry[2] ? entry[1] + ": " + entry[2] : entry[1];
      what.textContent = excerpt(entry, words);
      link.append(where, what);
      results.append(link);
    }
    const count = document.createElement("p");
    count.textContent = found.length === 0 ? "Nothing found." : found.length > 12 ? "The first 12 of " + found.length + "." : "";
    results.append(count);
  }
  input.addEventListener("focus", load);
  input.addEventListener("input", () => (load(), search()));
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
      event.preventDefault();
      input.focus({ preventScroll: true });
    } else if (event.key === "Escape") {
      results.hidden = true;
      input.blur();
    } else if (event.key === "Enter" && document.activeElement === input) {
      results.querySelector("a")?.click();
    }
  });
  addEventListener("click", (event) => {
    if (!event.target.closest(".search")) results.hidden = true;
    else search();
    if (event.target.closest("#results a")) results.hidden = true;
  });
})();
