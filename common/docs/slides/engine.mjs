// The engine with which Marp converts a deck that `kit_author deck` wrote: no access to the network, no emoji, no formulas;
// code with colours for CUDA and with marked lines; figures drawn in the page.
import { Marp } from "@marp-team/marp-core";
import hljs from "highlight.js";
import { escaped, linesOf } from "../shared.mjs";
import { inlineFigures } from "./figures.mjs";

const cudaName = /\b(__\w+(?:__)?|threadIdx|blockIdx|blockDim|gridDim|atomic[A-Z]\w*)\b/g;

/// Returns highlighted C++ in which names of CUDA are also coloured, except in comments and strings.
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
    // The page that Marp writes contains the script that shows slides.
    const none = { emoji: { shortcode: false, unicode: false }, math: false, script: false };
    const marp = new CourseMarp({ ...options, ...none, html: true });
    marp.use(inlineFigures);
    // The language of a block is also a class of its frame, because commands, code and output look different. The tag has no
    // other attributes: with them, Marp would shrink a block that is too wide, and the checks would not find it.
    const { fence } = marp.markdown.renderer.rules;
    marp.markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const language = tokens[index].info.trim().split(" ")[0];
        return fence(tokens, index, ...rest).replace(/<pre\b[^>]*>/, `<pre class="${language}">`);
    };
    return marp;
};
