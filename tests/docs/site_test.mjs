// Tests the tools of the site with a small valid course and a small valid site, and with each way to break them.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser } from "../../common/docs/browser.mjs";
import { build } from "../../common/docs/site/build.mjs";
import { checkInBrowser, views } from "../../common/docs/site/check_browser.mjs";
import { checkPages } from "../../common/docs/site/check_pages.mjs";
import { coloured, sourceHtml } from "../../common/docs/site/code.mjs";
import { Course, doxygenNames } from "../../common/docs/site/course.mjs";
import { sectionsOf } from "../../common/docs/site/search.mjs";
import { scratchFolder } from "./scratch.mjs";

const root = scratchFolder("site_test_");
const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
};
const has = (text, part) => assert.ok(text.includes(part), `no ${JSON.stringify(part)} in:\n${text}`);
const lacks = (text, part) => assert.ok(!text.includes(part), `${JSON.stringify(part)} in:\n${text}`);
const complains = (complaints, part) => has(complaints.join("\n"), part);

// ---- Checks that read pages.

const page = (body) =>
    `<!DOCTYPE html><html lang="en"><head><title>T</title></head><body class="text-page"><main><h1>T</h1>\n${body}</main></body></html>\n`;
const good = page(
    `<p id="here"><a href="b.html#there">b</a> <a href="#here">up</a> <a href="https://example.org/x">o</a></p>` +
        `<img src="figures/a.svg" alt="A tree"><code>](x) &lt;!-- said, not meant --&gt;</code>` +
        `<!-- a comment with <a href="nowhere.html"> --><details><summary>Hint</summary><p>Text</p></details>`,
);

function checked(from, to, folder = "pages/site") {
    assert.ok(good.includes(from), from);
    rmSync(join(root, folder), { recursive: true, force: true });
    write(`${folder}/index.html`, good.replaceAll(from, to));
    write(`${folder}/b.html`, page(`<h2 id="there">B</h2>`));
    write(`${folder}/figures/a.svg`, "<svg/>");
    return checkPages(join(root, folder), join(root, "pages/decks"));
}

test("a good site", () => {
    const { complaints, ...counts } = checked("", "");
    assert.deepEqual(complaints, []);
    assert.deepEqual(counts, { pages: 2, links: 3, pictures: 1, outside: 1, slidesNotBuilt: 0 });
});

for (const [from, to, complaint] of [
    ["b.html#there", "c.html", "index.html: link c.html: there is no c.html"],
    ["b.html#there", "b.html#where", "link b.html#where: b.html has no anchor where"],
    [`"#here"`, `"#gone"`, "link #gone: index.html has no anchor gone"],
    ["b.html#there", "../b.html", "link ../b.html: leaves the site"],
    ["b.html#there", "source:a.cu", "link source:a.cu: is of no known kind"],
    ["b.html#there", "#here", "b.html: no way leads here from index.html"],
    [`alt="A tree"`, `alt=" "`, "picture figures/a.svg has no alternative text"],
    [` alt="A tree"`, "", "picture figures/a.svg has no alternative text"],
    ["figures/a.svg", "figures/b.svg", "link figures/b.svg: there is no figures/b.svg"],
    ["figures/a.svg", "https://example.org/b.svg", "picture https://example.org/b.svg is no file of the site"],
    ["<img src", `<object data="figures/a.svg"></object><img src`, "is an <object>"],
    ["<h1>T</h1>", "<h1>T</h1><h1>U</h1>", "2 headings <h1>"],
    ["<h1>T</h1>", "", "0 headings <h1>"],
    ["<title>T</title>", "<title> </title>", "no title"],
    ["<code>", `<b id="here"></b><code>`, "two anchors are called here"],
    ["<p>Text</p>", "<p>1.87&lt;!--= a:b --&gt;x</p>", "which was not meant to be read"],
    ["<p>Text</p>", `<p>**"bold"**: no</p>`, "which was not meant to be read"],
    ["<p>Text</p>", "<p>[text](page.md)</p>", "which was not meant to be read"],
    ["<summary>Hint</summary>", "", "a collapsed part has no summary"],
    ["<summary>Hint</summary>", "Hint", "a collapsed part has no summary"],
])
    test(`refused: ${to || `no ${from}`}`, () => complains(checked(from, to).complaints, complaint));

// ---- Profiles in lectures.

const steps = [
    { file: "a.cu", line: 2, kind: "load", lanes: 0xffffffff, units: 32, ideal: 4 },
    { file: "a.cu", line: 3, kind: "vote", lanes: 0xffffffff, call: "__ballot_sync()", yes: 5 },
    { file: "a.cu", line: 4, kind: "shuffle", lanes: 0xff, call: "__shfl_down_sync()", from: [4, 5, 6, 7, 4, 5, 6, 7] },
    { file: "a.cu", line: 5, kind: "shuffle", lanes: 0xf, call: "__shfl_sync()", from: [2, 2, 2, 2] },
    { file: "a.cu", line: 6, kind: "shuffle", lanes: 0xf, call: "__shfl_xor_sync()", from: [1, 0, 3, 2] },
];
const profiled = {
    name: "sums::tree",
    lines: [{ file: "a.cu", line: 2 }],
    samples: [...Array(9).keys()].map((step) => ({ file: "a.cu", line: 2, kind: "load", step, units: step === 7 ? 32 : 4, ideal: 4 })),
    warps: [{ warp: 0, more: 1, steps: [...Array(200).keys()].map((i) => steps[i % 5]) }],
    source: [],
};
const profileOf = (kernels, instead = `<noscript id="instead"><p>Text</p></noscript>`) =>
    `<!DOCTYPE html><html lang="en"><head><title>P</title><noscript><style>p { color: red }</style></noscript></head>\n<body>\n<header><h1>Of <code id="command"></code></h1>${instead}</header>` +
    `<script type="application/json" id="profile">${JSON.stringify({ command: "07_sums --n 4", timeline: [], kernels })}</script></body></html>`;

for (const [kernels, instead, complaint] of [
    [[profiled], `<noscript><img src="figures/a.svg" alt="A"></noscript>`, undefined],
    [[profiled], "", "b.html: the profile has no picture for readers without JavaScript"],
    [[profiled], "<noscript><p>Text</p></noscript>", "b.html: the profile has no picture for readers without JavaScript"],
    [[profiled], `<noscript><img src="figures/gone.svg" alt="A"></noscript>`, "there is no figures/gone.svg"],
    [[], `<noscript><img src="figures/a.svg" alt="A"></noscript>`, "b.html: the profile has no kernel"],
    [[{ ...profiled, lines: [] }], "", "b.html: the profile of sums::tree is empty"],
    [[profiled, { ...profiled, samples: [] }], "", "b.html: the profile of sums::tree is empty"],
    [[{ ...profiled, warps: [{ steps: [] }] }], "", "b.html: the profile of sums::tree is empty"],
])
    test(`the page of a profile: ${complaint ?? "a good one"}`, () => {
        checked("#there", "");
        write("pages/site/b.html", profileOf(kernels, instead).replace("<body>", `<body class="profile-page">`));
        const { complaints } = checkPages(join(root, "pages/site"), root);
        if (complaint) complains(complaints, complaint);
        else assert.deepEqual(complaints, []);
    });

test("a lecture that must show a profile", () => {
    const look = (body) => {
        checked("#here", "lectures/07_sums/README.html");
        write("pages/site/lectures/07_sums/README.html", page(body));
        return checkPages(join(root, "pages/site"), root, ["07_sums"]).complaints.join("\n");
    };
    has(look("<p>Text</p>"), "lectures/07_sums/README.html: shows no profile");
    lacks(look(`<figure class="profile"></figure>`), "shows no profile");
    has(checkPages(join(root, "pages/site"), root, ["08_gone"]).complaints.join("\n"), "lectures/08_gone/README.html: shows no profile");
});

test("a site without its first page", () => {
    checked("", "");
    rmSync(join(root, "pages/site/index.html"));
    complains(checkPages(join(root, "pages/site"), root).complaints, "index.html: does not exist");
});

test("slides are built by another target: until then a deck is enough", () => {
    const look = () => checked(`b.html#there">b`, `../slides/07.html"></a><a href="b.html">b`);
    complains(look().complaints, "link ../slides/07.html: there is no deck 07.md");
    write("pages/decks/07.md", "# Deck\n");
    assert.deepEqual([look().complaints, look().slidesNotBuilt], [[], 1]);
    write("pages/slides/index.html", "<p>Decks</p>");
    complains(look().complaints, "the slides are built, but not these");
    write("pages/slides/07.html", "<p>Deck</p>");
    assert.deepEqual(look().complaints, []);
});

// ---- Checks that render pages. Each page is hard to read in one way.

const readable = `<style>body { color: #26323d; background: #fff } @media (prefers-color-scheme: dark) { body { color: #dde3e8; background: #14181d } }</style><p id="p">Text</p>`;

test("pages in Chromium", { timeout: 120000 }, async (t) => {
    const browser = await openBrowser();
    const look = async (body) => {
        write("seen/index.html", page(readable + body));
        return checkInBrowser(
            browser,
            join(root, "seen"),
            { "index.html": views },
            body.includes("search") ? ["tree"] : [],
        );
    };
    try {
        await t.test("a good one", async () => assert.deepEqual(await look(""), []));
        for (const [body, complaint] of [
            [
                "<style>#p { color: #999 !important; background: #fff }</style>",
                "index.html (wide, light): Elements must meet minimum color contrast",
            ],
            [
                "<style>@media (prefers-color-scheme: dark) { #p { color: #444 } }</style>",
                "(wide, dark): Elements must meet minimum color contrast",
            ],
            [
                "<style>@media (max-width: 400px) { #p { color: #aaa; background: #fff } }</style>",
                "(phone, light): Elements must meet minimum color contrast",
            ],
            [`<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">`, "(image-alt)"],
            [`<input type="text">`, "(label)"],
            ["<h4>Too deep</h4>", "(heading-order)"],
            [`<details><summary></summary>x</details>`, "(summary-name)"],
            [`<table><tr><th></th><td>1</td></tr></table>`, "(empty-table-header)"],
            [`<div style="width: 330px">wide</div>`, "(phone, light): 18 px of it reach beyond the screen"],
            [`<script src="https://example.org/x.js"></script>`, "asks the network for https://example.org/x.js"],
            ["<script>gone();</script>", "its script fails: gone is not defined"],
            [`<label>search <input id="search"></label>`, `the search finds nothing for "tree"`],
        ])
            await t.test(`refused: ${body}`, async () => complains(await look(body), complaint));
    } finally {
        await browser.close();
    }
});

// ---- The conversion of the course's text, with a small course.

const lecture = `# 07 Sums

The **first "kernel"** is in [tree](../../exercises/07_sums/README.md#tree), see [below](#2-the-tree), [slides](../../slides/07_sums.md), [its
source](../../solutions/07_sums/tree.cu), [contract](../../tests/07_sums/07_sums.hpp), [the folder](../../solutions/07_sums) and
\`[no](link.md) <!-- kept -->\`. It takes 1.87<!--= ladder:v2:us / ladder:v3:us -->x.

![A \`tree\` of "sums"](figures/tree.svg)

## 2. The \`tree\`

<!-- code: solutions/07_sums/tree.cu kernel -->
\`\`\`cpp
__global__ void tree();  // <!-- stays -->
\`\`\`

|  | b |
|---|---|
| 3%<!--given--> | 4 |

| claim | figure |
|---|---|
| x | 1 |

All of them together are
61. That is many.

1. one
   line
2. two

<details><summary>After you have done the exercise</summary>

\`\`\`cpp
__global__ void finished();
\`\`\`

</details>

## 2. The tree

## [Linked](figures/tree.svg)

<details><summary>Hint 1 (\`a\` question)</summary>

Which?
</details>
`;

const contract = { url: "reference/namespacesums.html", name: "sums" };
const names = {
    pageOfFile: new Map([["tests/07_sums/07_sums.hpp", contract]]),
    entries: [["reference/namespacesums.html#a1", "namespace sums", "tree(int n)", "Sums."]],
};

function courseOf(text = lecture) {
    write("course/README.md", "# Course\n\n```sh\nsudo sh -c 'apt-get install -y g++ cmake' && cmake\n```\n");
    write("course/lectures/07_sums/README.md", text);
    write("course/lectures/07_sums/appendix.md", "# 07 Sums, appendix\n");
    write("course/lectures/07_sums/figures/tree.svg", "<svg/>");
    write("course/lectures/diagnoses/race.md", "# race\n\n```text\nkit: race\n```\n");
    write("course/lectures/diagnoses/README.md", "# Found\n");
    write("course/lectures/instructors_guide.md", "# Guide\n");
    write("course/exercises/07_sums/README.md", "# 07 Sums: the exercises\n\n## tree\n");
    const paths = { lecture: "lectures/07_sums/README.md", tasks: "exercises/07_sums/README.md" };
    const sources = [
        "exercises/07_sums/tree.cu",
        "lectures/07_sums/demo.cu",
        "solutions/07_sums/tree.cu",
        "tests/07_sums/07_sums.hpp",
        "common/kit.cuh",
        "common/grader.cuh",
    ];
    for (const file of sources) write(`course/${file}`, "// x\nint a;\n");
    const files = { ...paths, contract: "tests/07_sums/07_sums.hpp", demo: "lectures/07_sums/demo.cu" };
    const exercises = [{ name: "tree", starter: "exercises/07_sums/tree.cu" }];
    const appendices = ["lectures/07_sums/appendix.md"];
    const parts = { appendices, exercises, ...files };
    const topic = { name: "07_sums", title: "07 Sums", learn: "trees", slides: true, wrong: 3, ...parts };
    const pages = [
        { path: "README.md", title: "Course", quotes: [] },
        {
            path: paths.lecture,
            title: "07 Sums",
            quotes: [
                {
                    line: text.split("```cpp")[0].split("\n").length,
                    file: "solutions/07_sums/tree.cu",
                    first: 1,
                    last: 2,
                },
            ],
        },
        { path: appendices[0], title: "07 Sums, appendix", quotes: [] },
        { path: paths.tasks, title: "07 Sums: the exercises", quotes: [] },
        { path: "lectures/diagnoses/race.md", title: "race", quotes: [] },
        ...["lectures/diagnoses/README.md", "lectures/instructors_guide.md"].map((path) => ({
            path,
            title: path,
            quotes: [],
        })),
    ];
    return new Course(
        { root: join(root, "course"), topics: [topic], diagnoses: ["lectures/diagnoses/race.md"], pages, sources },
        names,
    );
}

const site = join(root, "built");
const built = (url) => readFileSync(join(site, url), "utf8");

test("the small course becomes a site", () => {
    const course = courseOf();
    build(course, site);
    assert.deepEqual(course.complaints, []);
    const html = built("lectures/07_sums/README.html");
    for (const part of [
        `<h2 id="2-the-tree">2. The <code>tree</code>`,
        `<h2 id="2-the-tree-1">`,
        `<li><a href="#2-the-tree">2. The <code>tree</code></a></li>`,
        `<a href="../../exercises/07_sums/README.html#tree">tree</a>`,
        `<a href="#2-the-tree">below</a>`,
        `<a href="../../../slides/07_sums.html">slides</a>`,
        `<a href="../../solutions/07_sums/tree.cu.html">its\nsource</a>`,
        `<a href="../../reference/namespacesums.html">contract</a>`,
        `<a href="../../source.html#solutions-07_sums">the folder</a>`,
        `<code>[no](link.md) &lt;!-- kept --&gt;</code>. It takes 1.87x.`,
        `<td>3%</td>`,
        `<td></td>\n<th>b</th>`,
        `<div class="scroll"><table>`,
        `<div class="scroll claims"><table>`,
        `__global__</span>`,
        `// &lt;!-- stays --&gt;`,
        `<strong>first &quot;kernel&quot;</strong>`,
        `<figure><img src="figures/tree.svg" alt="A tree of &quot;sums&quot;"></figure>`,
        `<p class="from"><a href="../../solutions/07_sums/tree.cu.html#L1">solutions/07_sums/tree.cu, lines 1 to 2</a></p>`,
        `<summary>Hint 1 (<code>a</code> question)</summary>`,
        `together are\n61. That is many.`,
        `<li>one\nline</li>`,
        `<p class="parts"><a href="../../lectures/07_sums/appendix.html">Appendix</a> <a href="../../../slides/07_sums.html">Slides</a> <a href="../../exercises/07_sums/README.html">Exercises</a> <a href="../../reference/namespacesums.html">Contract</a> <a href="../../lectures/07_sums/demo.cu.html">Demo</a></p>`,
        `<a href="../../lectures/07_sums/README.html" aria-current="page">Lecture</a>`,
        `<a rel="prev" href="../../README.html"><span>Previous</span> Course</a>`,
        `<a rel="next" href="../../lectures/07_sums/appendix.html">`,
        `<details><summary>After you have done the exercise</summary>\n<pre class="fragment"><code>`,
    ])
        has(html, part);
    has(built("lectures/07_sums/appendix.html"), `<p class="parts"><a href="../../lectures/07_sums/README.html">Lecture</a>`);
    has(built("lectures/07_sums/appendix.html"), `aria-current="page">Appendix</a>`);
    lacks(html.replace("kept", ""), "<!--");
    lacks(built("README.html"), `rel="prev"`);
});

const withProfile = (kernels) =>
    lecture.replace("1. one", `<!-- profile: ${kernels} -->\n\`\`\`sh\nbuild/course/demo/07_sums --n 4 --profile=profile.html\n\`\`\`\n\n1. one`);

/// Returns the small course with a profile in its lecture, and with a demo that writes this page.
function profiledCourse(kernels, written) {
    const course = courseOf(withProfile(kernels));
    course.demos = join(root, "demos");
    write("demos/page.html", written);
    write("demos/07_sums", `#!/bin/sh\n[ "$1 $2" = "--n 4" ] && cp "$(dirname "$0")/page.html" "\${3#--profile=}"\n`);
    chmodSync(join(root, "demos/07_sums"), 0o755);
    return course;
}

test("a lecture shows the profile of its kernels", () => {
    const source = "solutions/07_sums/tree.cu";
    const text = ["// v1: a tree", "__global__ void tree(int* a) {", "    // TODO(1): Add.", "    // BEGIN SOLUTION 1", "    a[1] = 2;"];
    text.push("    // STARTER KIT_TODO(1, a);", "    // END SOLUTION 1", "}", "// [/tree]");
    const file = join(root, "course", source);
    const part = { file, first: 1, text };
    const kernel = { ...profiled, lines: [{ file, line: 5 }], source: [part, { ...part, first: 5, text: text.slice(4, 5) }] };
    const course = profiledCourse("tree", profileOf([{ ...profiled, name: "fill" }, kernel]));
    Object.assign(course.topics[0].exercises[0], { solution: source, removed: [5], marks: [4, 6, 7, 9] });
    build(course, site);
    assert.deepEqual(course.complaints, []);
    const html = built("lectures/07_sums/README.html");
    has(html, `<a href="profile_1.html"><img src="profile_1.svg" alt="The steps of the first warp of tree: a row for each step`);
    has(html, "or write it: <code>build/course/demo/07_sums --n 4 --profile=profile.html</code>");
    lacks(html, "profile: tree");
    const [, json] = built("lectures/07_sums/profile_1.html").match(/id="profile">(.*?)<\/script>/);
    const [{ name, samples, warps, lines, source: parts }, ...more] = JSON.parse(json).kernels;
    assert.deepEqual([name, more], ["tree", []]);
    assert.deepEqual(samples.map(({ step }) => step), [0, 1, 2, 3, 4, 7], "the first ones and the one with the highest cost");
    assert.deepEqual([warps[0].steps.length, warps[0].more], [120, 81]);
    assert.equal(lines[0].file, source, "a path in the checkout");
    assert.deepEqual(parts[0].text, [null, text[1], text[2], null, text[4], null, null, text[7], null]);
    assert.deepEqual([parts[0].covered, parts[1].covered], [[5], [5]]);
    const picture = built("lectures/07_sums/profile_1.svg");
    for (const said of ["tree", "32 sectors", "2 of 32 yes", "from lane + 4", "from lane 2", "4 lanes", "and 98 more"]) has(picture, said);
    has(built("lectures/07_sums/profile_1.html"), `<noscript><img src="profile_1.svg" alt="`);
    has(built("lectures/07_sums/profile_1.html"), `<a href="README.html">07 Sums</a>`);
    has(built("lectures/07_sums/profile_1.html"), `<code id="command">07_sums --n 4</code>`);
});

test("without demos, the command stays in the text", () => {
    const course = courseOf(withProfile("tree"));
    build(course, site);
    assert.deepEqual(course.complaints, []);
    has(built("lectures/07_sums/README.html"), `<pre class="fragment"><code>build/course/demo/07_sums`);
});

for (const [kernels, written, complaint] of [
    ["gone", profileOf([profiled]), "its profile of gone: the program ran no kernel gone, only sums::tree"],
    ["tree", profileOf([profiled], ""), "its profile of tree: the executor's page has no"],
    ["tree", profileOf([{ ...profiled, says: "x".repeat(300_000) }]), "at most 300000 are allowed"],
])
    test(`refused: a profile, ${complaint}`, () => {
        const course = profiledCourse(kernels, written);
        build(course, site);
        complains(course.complaints, complaint);
    });

test("a profile in Chromium: the page on a wide screen, the picture on a phone and without JavaScript", async () => {
    build(profiledCourse("tree", profileOf([profiled])), site);
    const browser = await openBrowser();
    try {
        const tab = await browser.newPage();
        const look = async (width, javaScript = true) => {
            await tab.setJavaScriptEnabled(javaScript);
            await tab.setViewport({ width, height: 800 });
            await tab.goto(pathToFileURL(join(site, "lectures/07_sums/README.html")).href);
            const sees = (part) => tab.$$eval(part, (all) => all.some((each) => each.checkVisibility()));
            return [await sees(".profile iframe"), await sees(".profile img")];
        };
        assert.deepEqual(await look(1200), [true, false]);
        await tab.setViewport({ width: 360, height: 800 });
        assert.deepEqual(await tab.$$eval(".profile iframe, .profile img", (all) => all.map((each) => each.checkVisibility())), [false, true]);
        assert.deepEqual(await look(360), [false, true]);
        assert.deepEqual(await look(1200, false), [false, true]);
    } finally {
        await browser.close();
    }
});

test("pages that list, and the first page", () => {
    build(courseOf(), site);
    has(built("index.html"), "1 topics, 1 exercises, 3 wrong submissions");
    has(built("index.html"), `<span class="line">sudo apt-get install -y g++ cmake\n</span><span class="line">cmake --workflow`);
    has(built("index.html"), `<code>kit: race\n</code>`);
    has(
        built("index.html"),
        `<img loading="lazy" src="lectures/07_sums/figures/tree.svg" alt="A tree of &quot;sums&quot;">`,
    );
    has(built("reference.html"), `<a href="reference/namespacesums.html">namespace sums</a>`);
    has(built("source.html"), `<details class="folder" id="solutions-07_sums">`);
    has(
        built("tests/07_sums/07_sums.hpp.html"),
        `<p class="parts"><a href="../../reference/namespacesums.html">Reference</a></p>`,
    );
    has(built("search_index.js"), `["reference/namespacesums.html#a1","namespace sums","tree(int n)","Sums."]`);
    has(built("search_index.js"), `["solutions/07_sums/tree.cu.html","solutions/07_sums/tree.cu","",""]`);
    has(readFileSync(`${site}.header`, "utf8"), `<a href="../README.html">Commands and options</a>`);
});

test("the small course passes the checks that it must pass", async () => {
    build(courseOf(), site);
    write("built/reference/namespacesums.html", page(""));
    const browser = await openBrowser();
    try {
        assert.deepEqual(
            checkPages(site, join(root, "none")).complaints.filter((what) => !what.includes("slides")),
            [],
        );
        assert.deepEqual(await checkInBrowser(browser, site, { "index.html": views }, ["tre sum", "that is many"]), []);
        complains(await checkInBrowser(browser, site, {}, ["zebra"]), `the search finds nothing for "zebra"`);
    } finally {
        await browser.close();
    }
});

for (const [text, complaint] of [
    [
        "[x](../../solutions/gone.cu)",
        "lectures/07_sums/README.md: links to solutions/gone.cu, which is no page and no source file",
    ],
    ["![x](figures/gone.svg)", "lectures/07_sums/figures/gone.svg: this figure does not exist"],
    ["[x](figures/gone.svg)", "lectures/07_sums/figures/gone.svg: this figure does not exist"],
])
    test(`refused: ${text}`, () => {
        const course = courseOf(`${lecture}\n${text}\n`);
        build(course, site);
        complains(course.complaints, complaint);
    });

test("the first page needs a command and a report", () => {
    const course = courseOf();
    write("course/README.md", "# Course\n");
    write("course/lectures/diagnoses/race.md", "# race\n");
    build(course, site);
    complains(course.complaints, "README.md: its first command has no 'apt-get install -y ...'");
    complains(course.complaints, "lectures/diagnoses/race.md: has no report");
});

// ---- Code, and the results of the search.

test("no character of a source is lost or added, whatever the colours", () => {
    const code = `#include <a>\nauto s = "// no comment \\" here"; /* one\n two */ int x = 'a' + 1'000; // <b> & c\n\nend\n`;
    const html = sourceHtml("a.cu", code);
    const text = html
        .replace(/<a class="lineno"[^]*?<\/a>/g, "")
        .replace(/<[^>]*>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">");
    assert.equal(
        text
            .replace(/&quot;/g, '"')
            .replace(/&#x27;/g, "'")
            .replace(/&amp;/g, "&"),
        `${code}\n`,
    );
    has(html, `<span class="hljs-comment"> two */</span>`);
    has(html, `<span class="hljs-comment">// &lt;b&gt; &amp; c</span>`);
    has(html, `<span class="line" id="L3"><a class="lineno" href="#L3">3</a>`);
    lacks(sourceHtml("a.txt", "int x;\n"), "hljs");
    has(
        coloured("__shared__ dim3 x;", "cpp"),
        `<span class="hljs-keyword">__shared__</span> <span class="hljs-type">dim3</span>`,
    );
});

test("the search has the sections of a page", () => {
    const html = `<h1>Page</h1><p>Intro "text"</p><h2 id="s">Section <a class="permalink" href="#s">#</a></h2><p>A <code>tree</code> is &lt; b</p><!-- no -->`;
    assert.deepEqual(sectionsOf("p.html", "Page", html), [
        ["p.html", "Page", "", 'Intro "text"'],
        ["p.html#s", "Page", "Section", "A tree is < b"],
    ]);
});

test("names and addresses come from Doxygen's XML", () => {
    const member = `<memberdef kind="function" id="namespacesums_1a9f"><name>tree</name><argsstring>(int n)</argsstring><briefdescription><para>Sums.</para></briefdescription><detaileddescription/></memberdef>`;
    write(
        "xml/sums_8hpp.xml",
        `<doxygen><compounddef id="sums_8hpp" kind="file"><innernamespace refid="namespacesums">sums</innernamespace><location file="tests/s.hpp"/></compounddef></doxygen>`,
    );
    write(
        "xml/namespacesums.xml",
        `<doxygen><compounddef id="namespacesums" kind="namespace"><compoundname>sums</compoundname><sectiondef>${member}</sectiondef></compounddef></doxygen>`,
    );
    const { pageOfFile, entries } = doxygenNames(join(root, "xml"));
    assert.deepEqual(pageOfFile.get("tests/s.hpp"), contract);
    assert.deepEqual(entries[1], ["reference/namespacesums.html#a9f", "namespace sums", "tree(int n)", "Sums."]);
});
