// What surrounds the text of every page: the bar, the contents of the course, links to the previous and next page; and the
// pages that contain lists.
import { posix } from "node:path";
import { escaped } from "../shared.mjs";
import { folderAnchor, pageUrl, up } from "./course.mjs";

/// Returns a title such as "07 Reduction" with its number in a separate element.
const numbered = (title) =>
    title.replace(/^(\S+) (.*)$/, (all, number, rest) => `<span class="number">${number}</span> ${escaped(rest)}`);

/// Returns the name of an additional page: "Appendix" for lectures/TOPIC/appendix.md.
const named = (path) => posix.basename(path, ".md").replace(/^./, (letter) => letter.toUpperCase());

/// Returns the parts of a topic in the order in which students need them, as [address, name].
function partsOf(course, topic) {
    return [
        [pageUrl(topic.lecture), "Lecture"],
        ...topic.appendices.map((path) => [pageUrl(path), named(path)]),
        [topic.slides && `../slides/${topic.name}.html`, "Slides"],
        [course.pageOf.has(topic.tasks) && pageUrl(topic.tasks), "Exercises"],
        [course.reference(topic.contract)?.url, "Contract"],
        [course.sources.has(topic.demo) && course.address(topic.demo), "Demo"],
    ].filter(([address]) => address);
}

function sidebar(course, url) {
    const entry = ([address, html]) =>
        `<li><a href="${up(url)}${address}"${address === url ? ' aria-current="page"' : ""}>${html}</a></li>\n`;
    const group = (title, entries, open) =>
        `<li><details${open || entries.some(([address]) => address === url) ? " open" : ""}><summary>${title}</summary><ul>\n` +
        `${entries.map(entry).join("")}</ul></details></li>\n`;
    const page = (path, title = escaped(course.pageOf.get(path).title)) => [pageUrl(path), title];
    const list = (title, ...items) => `<h2>${title}</h2>\n<ul>\n${items.join("")}</ul>\n`;
    const known = (path, title) => (course.pageOf.has(path) ? entry(page(path, title)) : "");
    const topics = course.topics.map((topic) =>
        group(numbered(topic.title), partsOf(course, topic), url.includes(`/${topic.name}/`)),
    );
    const kinds = group(
        "Each kind",
        course.diagnoses.map((path) => page(path)),
    );
    const teaching = [...course.pageOf.keys()].filter((path) => /^lectures\/[^/]+$|^slides\/README/.test(path));
    const start = [["index.html", "The course"], page("README.md", "Commands and options")];
    if (course.anySlides) start.push(["../slides/index.html", "All slides"]);
    const lists = [
        ["reference.html", "Reference"],
        ["source.html", "Source files"],
    ];
    return [
        list("Start", ...start.map(entry)),
        list("Topics", ...topics),
        list(
            "Mistakes",
            known("lectures/01_error_handling/debugging.md", "Debugging CUDA programs"),
            known("lectures/diagnoses/README.md", "What the executor finds"),
            kinds,
        ),
        list(
            "Behind it",
            known("common/README.md", "The kit, and adding to it"),
            known("common/cpu/README.md", "The CPU executor"),
            known("common/grader/README.md", "The grader"),
            known("common/course/README.md", "The model of the course"),
            known("common/classroom/README.md", "Grading a class"),
            known("common/docs/README.md", "Slides, charts and site"),
            known("tests/README.md", "The tests"),
            known("tests/kit/README.md", "How the grader is tested"),
            ...lists.map(entry),
        ),
        list("Teaching", ...teaching.map((path) => entry(page(path)))),
    ].join("");
}

/// Returns links to the previous and the next page.
function ways(course, path) {
    const at = course.pages.findIndex((page) => page.path === path);
    const way = (rel, word, { path: to, title }) =>
        `<a rel="${rel}" href="${up(path)}${pageUrl(to)}"><span>${word}</span> ${escaped(title)}</a>\n`;
    const before = at > 0 ? way("prev", "Previous", course.pages[at - 1]) : "";
    const after = at + 1 < course.pages.length ? way("next", "Next", course.pages[at + 1]) : "";
    return `<nav class="ways" aria-label="Previous and next page">\n${before}${after}</nav>\n`;
}

/// Adds links to the other parts of the topic, below the title of a lecture, an appendix or exercises.
export function withParts(course, path, html) {
    const topic = course.topics.find(({ lecture, appendices, tasks }) => [lecture, ...appendices, tasks].includes(path));
    if (!topic) return html;
    const links = partsOf(course, topic)
        .filter(([address]) => address !== pageUrl(path))
        .map(([address, name]) => `<a href="${up(path)}${address}">${name}</a>`);
    return html.replace("</h1>", () => `</h1>\n<p class="parts">${links.join(" ")}</p>`);
}

/// Returns a page of the site. `kind` is its class, `headings` are listed next to it, and `path` is its page of Markdown.
export function framed(course, { url, title, kind, html, headings = [], path }) {
    const aside = headings.map(({ id, html: text }) => `<li><a href="#${id}">${text}</a></li>\n`).join("");
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${up(url)}site.css">
<script src="${up(url)}client.js" data-up="${up(url)}" defer></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to the text</a>
<header class="bar">
<button class="menu" type="button" aria-expanded="false" aria-controls="side">Contents</button>
<a class="brand" href="${up(url)}index.html">CUDA C++ <span>that grades itself</span></a>
<div class="search" role="search"><input id="search" type="search" placeholder="Search" aria-label="Search the course" autocomplete="off" spellcheck="false"><div id="results" hidden></div></div>
</header>
<div class="frame">
<nav id="side" class="side" aria-label="Contents of the course">
${sidebar(course, url)}</nav>
<main id="content">
${html}${path ? ways(course, path) : ""}</main>
${headings.length < 3 ? "" : `<aside class="here" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${aside}</ul>\n</aside>\n`}</div>
</body>
</html>
`;
}

/// Returns the header and footer for Doxygen's pages. Doxygen inserts the title, and closes the <div>.
export function doxygenFrame(course) {
    const mark = "<!-- Doxygen's text -->\n";
    const html = `<h1>$title</h1>\n<div id="top">\n${mark}`;
    return framed(course, { url: "reference/any.html", title: "$title", kind: "reference-page", html }).split(mark);
}

const table = (heads, rows) =>
    `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr></thead><tbody>\n` +
    `${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`).join("")}</tbody></table></div>\n`;

export function referenceHtml(course) {
    const link = (address, text) => `<a href="${address}">${text}</a>`;
    const source = (file) => link(`${file}.html`, posix.basename(file));
    const declares = (file) => {
        const page = course.reference(file);
        return page ? link(page.url, `namespace ${page.name}`) : "";
    };
    const kit = declares("common/kit.cuh");
    const headers = [
        [source("common/kit.cuh"), "exercises: errors, device memory, timing", kit],
        [source("common/grader.cuh"), "tests: cases, inputs, comparison, diagnosis, report", kit],
    ];
    const contracts = course.topics.map(({ title, contract, exercises }) => {
        const starters = exercises.map(({ name, starter }) => link(`${starter}.html`, name));
        return [escaped(title), declares(contract), source(contract), starters.join(", ")];
    });
    return `<h1>Reference</h1>
<p>What an exercise includes, what a test includes, and what each exercise must provide.</p>
<h2 id="headers">Headers</h2>
${table(["header", "for", "declares"], headers)}<h2 id="contracts">Contracts</h2>
<p>The functions that the tests call. An exercise defines them.</p>
${table(["topic", "contract", "header", "exercises"], contracts)}`;
}

export function sourceIndexHtml(course) {
    const folders = new Map();
    for (const file of course.sources) {
        for (let at = posix.dirname(file); at !== "."; at = posix.dirname(at))
            if (!folders.has(at)) folders.set(at, []);
        folders.get(posix.dirname(file)).push(`<li><a href="${file}.html">${escaped(posix.basename(file))}</a></li>\n`);
    }
    let html = `<h1>Source files</h1>\n<p>Everything that the pages speak of, with a link for every line.</p>\n`;
    for (const [folder, files] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const isTop = !folder.includes("/");
        const id = isTop ? "" : ` id="${folderAnchor(folder)}"`;
        if (isTop) html += `<h2 id="${folder}">${folder}</h2>\n`;
        if (files.length > 0)
            html += `<details class="folder"${id}><summary>${escaped(folder)}</summary><ul class="files">\n${files.join("")}</ul></details>\n`;
        else if (!isTop) html += `<span${id}></span>`;
    }
    return html;
}
