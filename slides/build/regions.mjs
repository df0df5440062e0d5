// Marked regions of compiled files: the lines between // [NAME] and // [/NAME], as lectures show them.
// The rule is that of tests/course/checks_code.cpp: TODO comments and all markers are left out, shared indentation too.

/// The lines of region `name` in `text`, or null if there is none.
export function region(text, name) {
    const lines = [];
    let inside = false;
    let inTodo = false;
    for (const line of text.split("\n")) {
        const content = line.trim();
        if (content === `// [${name}]`) {
            inside = true;
        } else if (content === `// [/${name}]`) {
            return inside ? dedent(lines) : null;
        } else if (inside) {
            inTodo = content.startsWith("// TODO(") || (inTodo && content.startsWith("//"));
            const marker = /^\/\/ (BEGIN SOLUTION|END SOLUTION|STARTER|\[)/.test(content);
            if (!inTodo && !marker) lines.push(line);
            if (content.startsWith("// BEGIN SOLUTION")) inTodo = false;
        }
    }
    return null;
}

/// Names of all regions of a text, for a message.
export function regionNames(text) {
    return [...text.matchAll(/^\s*\/\/ \[([^/\]][^\]]*)\]\s*$/gm)].map((match) => match[1]);
}

/// Without the indentation that all lines share, and without empty lines at both ends.
export function dedent(lines) {
    const kept = lines.map((line) => line.trimEnd());
    while (kept.length > 0 && kept[0] === "") kept.shift();
    while (kept.length > 0 && kept[kept.length - 1] === "") kept.pop();
    const shared = Math.min(...kept.filter((line) => line !== "").map((line) => line.search(/\S/)));
    return kept.map((line) => line.slice(Number.isFinite(shared) ? shared : 0));
}

/// "3-5,8" -> [[3, 5], [8, 8]]; null if it is not written like that.
export function ranges(text) {
    const parts = text.split(",").map((part) => /^(\d+)(?:-(\d+))?$/.exec(part));
    if (parts.some((part) => !part)) return null;
    const result = parts.map((part) => [Number(part[1]), Number(part[2] ?? part[1])]);
    const ascending = result.every(([from, to], i) => from <= to && from > (i === 0 ? 0 : result[i - 1][1]));
    return ascending ? result : null;
}

/// The lines in the ranges. Where lines are left out between two ranges stands `// ...`, indented like the next line.
export function pick(lines, wanted) {
    const picked = [];
    let next = 1;
    for (const [from, to] of wanted) {
        const gap = lines.slice(next - 1, from - 1).some((line) => line.trim() !== "");
        if (next > 1 && gap) picked.push(lines[from - 1].match(/^\s*/)[0] + "// ...");
        picked.push(...lines.slice(from - 1, to));
        next = to + 1;
    }
    return dedent(picked);
}
