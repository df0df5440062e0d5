// Marp as the decks use it: CUDA's names and marked lines in code, and nothing from the network.
import assert from "node:assert/strict";
import { test } from "node:test";
import engine from "./engine.mjs";

const render = (markdown) => engine({}).render(markdown).html;

test("CUDA's own names are marked, but not in comments and strings", () => {
    const html = render('```cpp\n__syncthreads();  // __syncwarp\nint t = threadIdx.x; f("blockIdx");\n```');
    assert.match(html, /<span class="cuda">__syncthreads<\/span>/);
    assert.match(html, /<span class="cuda">threadIdx<\/span>/);
    assert.doesNotMatch(html, /cuda">(__syncwarp|blockIdx)/);
});

test("marked lines are elements, also within a comment of several lines", () => {
    const html = render("```cpp mark=2\n/* one\n two */\nint x;\n```");
    assert.equal(html.match(/<mark>/g).length, 1);
    assert.match(html, /<mark><span class="hljs-comment"> two \*\/<\/span><\/mark>/);
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
