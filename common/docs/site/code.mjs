// Coloured code, in pages and as pages of their own with a link for every line.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cmake from "highlight.js/lib/languages/cmake";
import cpp from "highlight.js/lib/languages/cpp";
import diff from "highlight.js/lib/languages/diff";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import { escaped } from "./course.mjs";

hljs.registerLanguage("cpp", (library) => {
    const language = cpp(library);
    language.keywords.keyword.push(
        ..."__global__ __device__ __host__ __shared__ __constant__ __restrict__".split(" "),
        ..."__forceinline__ __launch_bounds__ __managed__ __grid_constant__".split(" "),
    );
    language.keywords.type.push(..."dim3 float2 float4 int2 int4 uint4 size_t".split(" "));
    return language;
});
for (const [name, language] of Object.entries({ bash, cmake, diff, javascript, json }))
    hljs.registerLanguage(name, language);

const languages = { cu: "cpp", cuh: "cpp", hpp: "cpp", h: "cpp", patch: "diff", sh: "bash", mjs: "javascript" };

/// HTML of code; text in a language that nobody knows stays as it is.
export function coloured(code, language) {
    if (!hljs.getLanguage(language)) return escaped(code);
    return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/// Coloured code line by line. A colour that reaches over a line's end is closed there and opened again.
export function colouredLines(code, language) {
    const open = [];
    return coloured(code.replace(/\n$/, ""), language)
        .split("\n")
        .map((line) => {
            const before = open.join("");
            for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) tag.startsWith("</") ? open.pop() : open.push(tag);
            return before + line + "</span>".repeat(open.length);
        });
}

/// The text of a source file with numbers.
export function sourceHtml(file, text) {
    const ending = file.slice(file.lastIndexOf(".") + 1);
    const lines = colouredLines(text, languages[ending] ?? ending).map(
        (line, i) =>
            `<span class="line" id="L${i + 1}"><a class="lineno" href="#L${i + 1}">${i + 1}</a>${line}\n</span>`,
    );
    return `<pre class="fragment source"><code>${lines.join("")}</code></pre>\n`;
}
