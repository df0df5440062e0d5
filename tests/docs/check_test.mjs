// Tests that the checks reject decks that break their rules, rule by rule, and accept a deck that keeps them.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { PDFDocument } from "pdf-lib";
import { openBrowser } from "../../common/docs/browser.mjs";
import { checkDeck } from "../../common/docs/slides/check.mjs";
import { build_deck, frame, slide } from "./deck.mjs";

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser.close());

const good = slide("- a point\n- another one");
const fill = (slides, count) => [...slides, ...Array(count - slides.length).fill(good)];
const figure = (inside, label = ' aria-label="a figure"') =>
    `<figure><svg viewBox="0 0 760 300" role="img"${label}><rect width="760" height="300" fill="#ffffff"/>${inside}</svg></figure>`;
const check = async (slides) => {
    const { html } = await build_deck(slides);
    return { html, ...(await checkDeck(browser, html)) };
};

test("a deck that keeps all rules is in order, and its minutes are counted", async () => {
    const columns =
        '<div class="columns"><div class="column">\n\nleft\n\n</div><div class="column">\n\nright\n\n</div></div>';
    const own = [
        slide(figure('<text x="20" y="40" font-size="13">a label</text>'), { kind: "picture" }),
        slide("```cpp mark=2\n__global__ void f() {\n    __syncthreads();  // all\n}\n```"),
        slide(columns),
        slide("[a slide](#2) and [the web](https://example.org/)"),
        slide("| a | b |\n|---|---|\n| 1 | `x` |\n\n> a sentence"),
    ];
    const { complaints, slides, minutes } = await check(
        fill([frame.title, frame.predict, frame.demo, frame.exercises, ...own], 15),
    );
    assert.deepEqual(complaints, []);
    assert.equal(slides, 15);
    assert.equal(minutes, 28);
});

// The contents of a slide, and the complaint about it.
const broken = [
    [
        "a line that leaves the slide",
        '<p style="white-space: nowrap">' + "word ".repeat(60) + "</p>",
        /text of its slide reaches \d+ px beyond its right edge/,
    ],
    [
        "a list that is too long",
        "- a point\n".repeat(14),
        /text of its slide reaches \d+ px beyond its bottom edge/,
    ],
    [
        "code that is too wide",
        "```cpp\n" + "x".repeat(120) + "\n```",
        /text of its code block reaches \d+ px beyond its right edge.*lines=/,
    ],
    [
        "code that is too long",
        "```cpp\n" + "int x;\n".repeat(24) + "```",
        /pre reaches \d+ px beyond its bottom edge/,
    ],
    [
        "text that is clipped",
        '<div style="overflow: hidden; height: 20px"><p>clipped</p></div>',
        /text of its frame that clips it/,
    ],
    ["text that is hidden by size", '<p style="font-size: 0">nothing</p>', /text is not visible/],
    ["text that is too small", '<p style="font-size: 20px">small</p>', /text of 20\.0 px, at least 28/],
    [
        "code that is too small",
        '<pre style="font-size: 15px"><code>small</code></pre>',
        /code of 15\.0 px, at least 20/,
    ],
    [
        "a table that is too small",
        '<table style="font-size: 18px"><tr><td>small</td></tr></table>',
        /table of 18\.0 px, at least 24/,
    ],
    [
        "a label that is too small",
        figure('<text x="20" y="40" font-size="8">small</text>'),
        /figure of \d+\.\d px, at least 16/,
    ],
    [
        "a label outside of its figure",
        figure('<text x="720" y="40">outside of it</text>'),
        /text of its figure reaches \d+ px beyond its right edge/,
    ],
    [
        "two texts on each other",
        figure('<text x="20" y="40">one text</text><text x="30" y="42">another</text>'),
        /two texts lie on each other.*one text \| another/,
    ],
    ["grey text", '<p style="color: #999">grey</p>', /contrast 2\.\d+ : 1, at least 4\.5/],
    ["pale text by opacity", '<p style="opacity: 0.5">pale</p>', /contrast \d\.\d+ : 1/],
    [
        "dark text on a dark box",
        figure(
            '<rect x="10" y="10" width="200" height="60" fill="#3d6b99"/><text x="20" y="45">a label</text>',
        ),
        /contrast \d\.\d+ : 1/,
    ],
    [
        "a comment in pale grey",
        '<pre><code><span style="color: #aaa">// why</span></code></pre>',
        /contrast \d\.\d+ : 1/,
    ],
    ["a figure without alternative text", figure("", ""), /a figure has no alternative text/],
    [
        "an image without alternative text",
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">',
        /an image has no alternative text/,
    ],
    ["an image that is not there", '<img src="nowhere.png" alt="nothing">', /an image is not loaded/],
    ["a link to nothing", "[nothing](#nowhere)", /a link to nothing in this deck/],
    ["a link to a missing file", "[nothing](nowhere.html)", /a link to a file that is not there/],
    [
        "code that is cut in print",
        '<style>@media print { .cut { width: 300px } }</style>\n\n<pre class="cut"><code>for (int stride = 1; stride &lt; n; ++stride)</code></pre>',
        /in print, text of its code block/,
    ],
    [
        "column too narrow",
        '<div class="columns"><div class="column"><pre><code>' +
            "x".repeat(80) +
            '</code></pre></div><div class="column">b</div></div>',
        /text of its code block reaches/,
    ],
];
test("each broken rule is named with its slide, and nothing else is", async () => {
    const all = broken.map(([name, content, says]) => [name, slide(content), says]);
    const half = Math.ceil(all.length / 2);
    for (const part of [all.slice(0, half), all.slice(half)]) {
        const own = [frame.title, frame.predict, frame.demo, frame.exercises];
        const { complaints } = await check([...own, ...part.map(([, content]) => content)]);
        part.forEach(([name, , says], i) => {
            const here = complaints.filter((complaint) =>
                complaint.startsWith(`00_deck, slide ${own.length + i + 1} `),
            );
            assert.ok(
                here.some((complaint) => says.test(complaint)),
                `${name}: ${says} is not in ${JSON.stringify(here)}`,
            );
        });
        const elsewhere = complaints.filter((complaint) => /, slide [1-4] /.test(complaint));
        assert.deepEqual(elsewhere, [], "the slides that are in order");
    }
});

test("a PDF that was built from other slides", async () => {
    const { html } = await check([good, good]);
    const pdf = await PDFDocument.create();
    for (let page = 0; page < 3; ++page) pdf.addPage();
    writeFileSync(html.replace(".html", ".pdf"), await pdf.save());
    const { complaints } = await checkDeck(browser, html);
    assert.deepEqual(complaints, ["00_deck: its PDF has 3 pages, and there are 2 slides; build it again"]);
});

test("a deck that asks the network", async () => {
    const { complaints } = await check([good, slide('<img src="https://example.org/x.png" alt="x">')]);
    assert.ok(
        complaints.some((complaint) => complaint.includes("asks the network for https://example.org/x.png")),
    );
});
