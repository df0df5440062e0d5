// What a deck takes from other files is put in as it is there, and each mistake is named with its line.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { expand, withoutReferences } from "./expand.mjs";
import { inlineFigure } from "./figures.mjs";
import { pick, ranges, region } from "./regions.mjs";

const source = `// top
// [kernel]
    // TODO(1): What to write,
    // on two lines.
    // BEGIN SOLUTION 1
    int a = 1;  // one

    // [inner]
    int b = 2;
    // [/inner]
    // STARTER KIT_TODO(1);
    // END SOLUTION 1
      int c = 3;
// [/kernel]
`;
const svg =
    '<?xml version="1.0"?>\n<svg xmlns="x" width="7" viewBox="0 0 7 7">\n<title>T</title>\n\n<path id="a"/><use href="#a" fill="url(#a)"/></svg>\n';

/// A repository with this deck. The text of the deck begins in line 4.
function expanded(body, front = "---\ntitle: 07 Topic\n---\n") {
    const root = mkdtempSync(join(tmpdir(), "course-"));
    const put = (file, text) => {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
    };
    put("solutions/07_topic/a.cu", source);
    put("lectures/07_topic/results/h200.txt", "title\n\nv1  10 us\nv2   5 us\n\nend\n");
    put("lectures/07_topic/figures/a.svg", svg);
    put("slides/08_next.md", "");
    put("slides/07_topic.md", front + body);
    return expand(root, "slides/07_topic.md");
}

/// The lines that a body becomes.
function lines(body) {
    const { text, complaints } = expanded(body);
    assert.deepEqual(complaints, []);
    return text.split("\n---\n").slice(1).join("\n---\n");
}

function complaint(body, says) {
    const { complaints } = expanded(body);
    assert.equal(complaints.length, 1, `${body}: ${complaints}`);
    assert.match(complaints[0], /^slides\/07_topic\.md:4: /);
    assert.match(complaints[0], says);
}

test("a region is without TODO comments, markers and shared indentation", () => {
    assert.deepEqual(region(source, "kernel"), ["int a = 1;  // one", "", "int b = 2;", "  int c = 3;"]);
    assert.deepEqual(region(source, "inner"), ["int b = 2;"]);
    assert.equal(region(source, "none"), null);
    assert.equal(region("// [open]\nint a;\n", "open"), null);
});

test("ranges and the lines in them", () => {
    assert.deepEqual(ranges("1,4-6"), [
        [1, 1],
        [4, 6],
    ]);
    for (const wrong of ["", "a", "3-1", "4,2", "1-3,3", "1-"]) assert.equal(ranges(wrong), null, wrong);
    assert.deepEqual(
        pick(
            ["a", "b", "  c", "d"],
            [
                [1, 1],
                [3, 3],
            ],
        ),
        ["a", "  // ...", "  c"],
    );
    assert.deepEqual(
        pick(
            ["a", "", "c"],
            [
                [1, 1],
                [3, 3],
            ],
        ),
        ["a", "c"],
        "an empty line needs no dots",
    );
});

test("code", () => {
    assert.equal(lines("<!-- code: solutions/07_topic/a.cu inner -->"), "```cpp\nint b = 2;\n```");
    assert.equal(
        lines("<!-- code: solutions/07_topic/a.cu kernel lines=1,3-4 mark=2 -->"),
        "```cpp mark=2\nint a = 1;  // one\nint b = 2;\n  int c = 3;\n```",
    );
    complaint("<!-- code: solutions/07_topic/b.cu kernel -->", /no file solutions\/07_topic\/b\.cu/);
    complaint("<!-- code: solutions/07_topic/a.cu none -->", /no region .*\[none\].*it has: kernel, inner/);
    complaint("<!-- code: solutions/07_topic/a.cu kernel lines=3-9 -->", /has 4 lines/);
    complaint("<!-- code: solutions/07_topic/a.cu kernel lines=3-1 -->", /ascend/);
    complaint("<!-- code: solutions/07_topic/a.cu -->", /is not "code: FILE REGION/);
    complaint("```cpp\nint typed;\n```", /never typed/);
    complaint("```\nsum 1\n```", /never typed/);
    assert.equal(lines("```sh\nctest\n```"), "```sh\nctest\n```");
});

test("output", () => {
    assert.equal(
        lines('<!-- output: lectures/07_topic/results/h200.txt "v2" -->'),
        "```text\nv1  10 us\nv2   5 us\n```",
    );
    assert.equal(lines("<!-- output: lectures/07_topic/results/h200.txt 1-1 -->"), "```text\ntitle\n```");
    complaint("<!-- output: lectures/07_topic/results/none.txt 1-2 -->", /no recorded output/);
    complaint("<!-- output: lectures/07_topic/results/h200.txt 3-9 -->", /has 6 lines/);
    complaint('<!-- output: lectures/07_topic/results/h200.txt "v3" -->', /no line with "v3"/);
    assert.equal(
        lines("<!-- output: lectures/07_topic/results/h200.txt -->").split("\n").length,
        8,
        "all lines",
    );
    complaint("<!-- output: lectures/07_topic/results/h200.txt v2 -->", /is not "output:/);
});

test("figures", () => {
    const text = lines('![a & "b"](../lectures/07_topic/figures/a.svg "below")');
    assert.equal(
        text,
        '<figure>\n<svg xmlns="x" viewBox="0 0 7 7" role="img" aria-label="a &amp; &quot;b&quot;">\n' +
            '<path id="f1-a"/><use href="#f1-a" fill="url(#f1-a)"/></svg>\n<figcaption>below</figcaption>\n</figure>',
    );
    assert.ok(!inlineFigure(svg, { prefix: "", alternative: "a" }).includes(""), "no line is empty");
    complaint("![](../lectures/07_topic/figures/a.svg)", /no alternative text/);
    complaint("![a](../lectures/07_topic/figures/b.svg)", /no figure lectures\/07_topic\/figures\/b\.svg/);
    complaint("![a](../lectures/07_topic/figures/a.png)", /figures are SVG/);
    complaint("see ![a](../lectures/07_topic/figures/a.svg)", /alone on its line/);
});

test("columns are closed before the notes and at the end of the slide", () => {
    const [open, next, close] = [
        '<div class="columns"><div class="column">',
        '</div><div class="column">',
        "</div></div>",
    ];
    const compact = (body) => lines(body).split("\n").filter(Boolean);
    assert.deepEqual(compact("<!-- column -->\na\n<!-- column -->\nb\n<!--\nnote\n-->\n\n---\nc"), [
        open,
        "a",
        next,
        "b",
        close,
        "<!-- note -->",
        "---",
        "c",
    ]);
    assert.deepEqual(compact("<!-- column -->\na\n<!-- Time: 1 min.\nSay: b -->"), [
        open,
        "a",
        close,
        "<!-- Time: 1 min.",
        "Say: b -->",
    ]);
    assert.deepEqual(compact("<!-- column -->\na\n---\nb"), [open, "a", close, "---", "b"]);
    assert.deepEqual(compact("<!-- column -->\na\n<!-- columns end -->\nb"), [open, "a", close, "b"]);
    assert.deepEqual(compact("<!-- column -->\na"), [open, "a", close]);
});

test("references vanish, notes stay", () => {
    assert.equal(
        withoutReferences("1.87<!--= a:b:c / d:e:f -->x, 3<!--given-->%<!--? a:b:c > 1 -->"),
        "1.87x, 3%",
    );
    assert.equal(lines("1.87<!--= a:b:c -->x\n<!-- a note -->"), "1.87x\n<!-- a note -->");
});

test("a note is one line per paragraph, so that the speaker's window wraps it", () => {
    assert.equal(
        lines("<!-- Time: 1 min.\nSay: a\nb c.\nOften wrong: d\ne\n\nf -->"),
        "<!-- Time: 1 min.\nSay: a b c.\nOften wrong: d e\n\nf -->",
    );
});

test("what is opened is closed", () => {
    for (const open of ["<!-- Time: 1 min.\n\n---\n## Next", "```sh\nctest\n---\n"])
        assert.match(expanded(open).complaints[0], /is not closed/);
});

test("links and paths", () => {
    assert.equal(
        lines("[next](08_next.md), [web](https://example.org), [here](#2)"),
        "[next](08_next.html), [web](https://example.org), [here](#2)",
    );
    complaint("[next](09_next.md)", /no deck 09_next\.md/);
    complaint("[tasks](../exercises/07_topic/README.md)", /write a path as code/);
    complaint("see `solutions/07_topic/b.cu`", /there is no solutions\/07_topic\/b\.cu/);
    assert.equal(lines("see `solutions/07_topic/a.cu`"), "see `solutions/07_topic/a.cu`");
});

test("the front matter is one line", () => {
    assert.match(
        expanded("x").text,
        /^---\ntitle: 07 Topic\ntheme: course\nlang: en\npaginate: true\nfooter: 07 Topic\n---\nx$/,
    );
    assert.match(expanded("x", "---\ntitle: Topic\n---\n").complaints[0], /one line/);
    assert.match(expanded("x", "---\ntitle: 07 Topic\nfooter: mine\n---\n").complaints[0], /one line/);
    assert.match(expanded("x", "").complaints[0], /begins with a front matter/);
});

// The same regions stand typed in the lectures, and a test in C++ compares them there: both read files alike.
test("regions are those that lectures show", { skip: !process.env.KIT_ROOT && "KIT_ROOT is not set" }, () => {
    const root = process.env.KIT_ROOT;
    let compared = 0;
    for (const topic of readdirSync(join(root, "lectures"))) {
        const page = join(root, "lectures", topic, "README.md");
        if (!existsSync(page)) continue;
        for (const [, file, name, code] of readFileSync(page, "utf8").matchAll(
            /<!-- code: (\S+) (\S+) -->\n```cpp\n([\s\S]*?)\n```/g,
        )) {
            assert.deepEqual(
                region(readFileSync(join(root, file), "utf8"), name)?.join("\n"),
                code,
                `${page}: ${file} ${name}`,
            );
            ++compared;
        }
    }
    assert.ok(compared >= 50, `only ${compared} blocks were found`);
});
