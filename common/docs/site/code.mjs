// Coloured code: in pages, and as pages of source files with a link for every line.
import hljs from "highlight.js";
import { escaped, linesOf } from "../shared.mjs";

hljs.registerLanguage("cuda", () => {
    const language = hljs.getLanguage("cpp").rawDefinition();
    language.keywords.keyword.push(
        ..."__global__ __device__ __host__ __shared__ __constant__ __restrict__".split(" "),
        ..."__forceinline__ __launch_bounds__ __managed__ __grid_constant__".split(" "),
    );
    language.keywords.type.push(..."dim3 float2 float4 int2 int4 uint4 size_t".split(" "));
    return language;
});
hljs.registerAliases(["cu", "cuh"], { languageName: "cuda" });

/// Returns the HTML of code. The language is the extension of the file; code in an unknown language is unchanged.
export function coloured(code, ending) {
    const language = ["cpp", "hpp", "h"].includes(ending) ? "cuda" : ending;
    if (!hljs.getLanguage(language)) return escaped(code);
    return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/// Returns the text of a source file with line numbers.
export function sourceHtml(file, text) {
    const html = coloured(text.replace(/\n$/, ""), file.slice(file.lastIndexOf(".") + 1));
    const lines = linesOf(html).map((line, i) => {
        const id = `L${i + 1}`;
        return `<span class="line" id="${id}"><a class="lineno" href="#${id}">${i + 1}</a>${line}\n</span>`;
    });
    return `<pre class="fragment source"><code>${lines.join("")}</code></pre>\n`;
}
