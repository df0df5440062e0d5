// Tests Marp as the decks use it: CUDA's names and marked lines in code, figures in the page, and no access to the network.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import engine from "../../common/docs/slides/engine.mjs";
import { scratchFolder } from "./scratch.mjs";

const render = (markdown) => engine({}).render(markdown).html;

test("CUDA's own names are marked, but not in comments and strings", () => {
    const html = render('```cpp\n__syncthreads();  // __syncwarp\nint t = threadIdx.x; f("blockIdx");\n```');
    assert.match(html, /<span class="cuda">__syncthreads<\/span>/);
    assert.match(html, /<span class="cuda">threadIdx<\/span>/);
    assert.doesNotMatch(html, /cuda">(__syncwarp|blockIdx)/);
});

test("marked lines are elements, also within a comment of several lines", () => {
    const html = render("```cpp mark=2,3\n/* one\n two */\nint x;\nint y;\n```");
    assert.equal(html.match(/<mark>/g).length, 2);
    assert.match(html, /<mark><span class="hljs-comment"> two \*\/<\/span><\/mark>/);
    assert.match(html, /<mark>.*int<\/span> x;<\/mark>/);
});

test("the language is a class of the frame; commands are not coloured", () => {
    assert.match(
        render("```sh\nctest && true\n```"),
        /<pre class="sh"><code class="language-sh">ctest &amp;&amp; true/,
    );
    assert.match(render("```text\nv1 10 us\n```"), /<pre class="text">/);
});

test("no emoji and no formulas from elsewhere", () => {
    const html = render("a :smile: costs $1 or $2");
    assert.match(html, /a :smile: costs \$1 or \$2/);
    assert.doesNotMatch(html, /https?:\/\/(?!www\.w3\.org)/);
});

test("figures stand in the page, with names of their own and the alternative text of the slide", () => {
    const file = join(scratchFolder("course "), "a.svg");
    writeFileSync(
        file,
        '<?xml version="1.0"?>\n<svg xmlns="x" width="7" viewBox="0 0 7 7">\n<title>T</title>\n\n' +
            '<path id="a"/><use href="#a" fill="url(#a)" stroke="url(#b)"/></svg>\n',
    );
    const html = render(`# a\n\n![a & "b"](${file} "below")\n\ntext\n\n![c](${file})`);
    assert.ok(
        html.includes(
            '<figure>\n<svg xmlns="x" viewBox="0 0 7 7" role="img" aria-label="a &amp; &quot;b&quot;">\n' +
                '<path id="f1-a" /><use href="#f1-a" fill="url(#f1-a)" stroke="url(#b)" /></svg>\n' +
                "<figcaption>below</figcaption>\n</figure>\n<p>text</p>",
        ),
        html,
    );
    assert.match(html, /aria-label="c">\n<path id="f2-a" \/>.*<\/svg>\n<\/figure>/);
});
