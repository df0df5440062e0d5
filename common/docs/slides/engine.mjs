// The engine that Marp runs on a deck that `kit_author deck` wrote: nothing from the network, no emoji, no formulas, code coloured
// for CUDA, lines marked, figures drawn in the page.
import { Marp } from "@marp-team/marp-core";
import hljs from "highlight.js";
import { escaped, linesOf } from "../shared.mjs";
import { inlineFigures } from "./figures.mjs";

const cudaName = /\b(__\w+(?:__)?|threadIdx|blockIdx|blockDim|gridDim|atomic[A-Z]\w*)\b/g;

/// Highlighted C++ in which CUDA's own names are marked too, outside of comments and strings.
function withCudaNames(html) {
    const open = [];
    return html
        .split(/(<[^>]+>)/)
        .map((part) => {
            if (part.startsWith("</")) open.pop();
            else if (part.startsWith("<")) open.push(part);
            else if (!open.some((tag) => /comment|string|meta/.test(tag)))
                return part.replace(cudaName, '<span class="cuda">$1</span>');
            return part;
        })
        .join("");
}

class CourseMarp extends Marp {
    highlighter(code, language, attributes = "") {
        if (!hljs.getLanguage(language) || language === "sh") return escaped(code);
        let html = hljs.highlight(code, { language, ignoreIllegals: true }).value;
        if (language === "cpp") html = withCudaNames(html);
        const marked = /mark=(\S+)/.exec(attributes)?.[1].split(",");
        if (!marked) return html;
        return linesOf(html)
            .map((line, i) => (marked.includes(`${i + 1}`) ? `<mark>${line}</mark>` : line))
            .join("\n");
    }
}

export default (options) => {
    // The script that shows slides comes with the page that Marp makes.
    const none = { emoji: { shortcode: false, unicode: false }, math: false, script: false };
    const marp = new CourseMarp({ ...options, ...none, html: true });
    marp.use(inlineFigures);
    // The language of a block is a class of its frame, too: commands, code and output look different. Nothing else stands in the
    // tag: Marp would let a block that is too wide become small, and nobody would see it.
    const { fence } = marp.markdown.renderer.rules;
    marp.markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const language = tokens[index].info.trim().split(" ")[0];
        return fence(tokens, index, ...rest).replace(/<pre\b[^>]*>/, `<pre class="${language}">`);
    };
    return marp;
};
