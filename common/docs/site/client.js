// The script of the site: the contents on a phone, buttons that copy code, profiles, and a search that needs no server.
(() => {
  const up = document.currentScript.dataset.up || "";

  const element = (name, properties) => Object.assign(document.createElement(name), properties);

  const menu = document.querySelector("button.menu");
  menu.addEventListener("click", () => (menu.ariaExpanded = document.body.classList.toggle("menu-open")));

  // All pages of Doxygen have the same contents list, so the current page is marked here.
  const side = document.querySelector(".side");
  for (const link of side.querySelectorAll("a"))
    if (link.href === location.href.split("#")[0]) {
      link.setAttribute("aria-current", "page");
      link.closest("details")?.setAttribute("open", "");
    }
  const here = side.querySelector("[aria-current]");
  if (here && here.offsetTop > side.clientHeight - 80) side.scrollTop = here.offsetTop - side.clientHeight / 2;

  // A hint or a folded block opens if a link leads into it.
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", openTarget);
  if (location.hash) openTarget();

  // On paper, recorded output is open, and hints stay closed.
  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("main details:not(.folder)"))
      if (!part.querySelector("summary").textContent.startsWith("Hint")) part.open = true;
  });

  // Elements that are wider than the screen can be scrolled, also with the keyboard.
  for (const wide of document.querySelectorAll(".fragment, .scroll, .memproto")) wide.tabIndex = 0;

  for (const code of document.querySelectorAll("pre.fragment:not(.source):not(.report)")) {
    const button = element("button", { type: "button", className: "copy", textContent: "Copy" });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    const box = element("div", { className: "code-box" });
    code.replaceWith(box);
    box.append(code, button);
  }

  // A profile replaces its picture, except on a phone and on paper. There, the picture leads to the page.
  const isWide = matchMedia("(min-width: 56.01rem)");
  for (const figure of document.querySelectorAll(".profile")) {
    const link = figure.querySelector("a");
    const show = () => {
      const frame = figure.querySelector("iframe");
      link.hidden = isWide.matches;
      if (frame) frame.hidden = !isWide.matches;
      else if (isWide.matches)
        figure.prepend(element("iframe", { title: figure.dataset.title, loading: "lazy", src: link.getAttribute("href") }));
    };
    isWide.addEventListener("change", show);
    show();
  }

  // The search: every word must occur, or be the beginning of a word. Index and library are loaded when they are first needed.
  const input = document.getElementById("search"), results = document.getElementById("results");
  const scripts = ["minisearch.js", "search_index.js"];
  let engine = null;
  const load = () => {
    const name = scripts.shift();
    if (!name) return;
    document.head.append(element("script", { src: up + name, onload: () => (scripts.length > 0 ? load() : start()) }));
  };
  const start = () => {
    engine = new MiniSearch({
      fields: ["page", "heading", "text"],
      searchOptions: {
        combineWith: "AND", prefix: true, boost: { heading: 6, page: 3 },
        boostDocument: (id) => (searchIndex[id][3] ? 1 : 0.1),  // a file has only its name
      },
    });
    engine.addAll(searchIndex.map(([url, page, heading, text], id) => ({ id, page, heading, text })));
    search();
  };
  const excerpt = (text, words) => {
    const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
    return (at > 40 ? "... " : "") + text.slice(Math.max(0, at - 40), at + 80);
  };
  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    results.hidden = words.length === 0 || !engine;
    if (results.hidden) return;
    const found = engine.search(input.value);
    results.replaceChildren();
    for (const { id } of found.slice(0, 12)) {
      const [url, page, heading, text] = searchIndex[id];
      const link = element("a", { href: up + url });
      link.append(
        element("b", { textContent: heading ? `${page}: ${heading}` : page }),
        element("span", { textContent: excerpt(text, words) }),
      );
      results.append(link);
    }
    const count = found.length === 0 ? "Nothing found." : found.length > 12 ? `The first 12 of ${found.length}.` : "";
    results.append(element("p", { textContent: count }));
  }
  input.addEventListener("focus", () => scripts.length === 2 && load());
  input.addEventListener("input", () => (scripts.length === 2 ? load() : search()));
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
