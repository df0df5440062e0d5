// Puts the theme together: node theme.mjs THEME_FOLDER OUT.css [node_modules]
// One file of CSS with the fonts inside, so that a deck is one file that looks the same on every machine.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// family, package, weight, style
const fonts = [
    ["Inter", "inter", 400, "normal"],
    ["Inter", "inter", 400, "italic"],
    ["Inter", "inter", 600, "normal"],
    ["Inter", "inter", 700, "normal"],
    ["Arimo", "arimo", 400, "normal"],
    ["Arimo", "arimo", 400, "italic"],
    ["Arimo", "arimo", 700, "normal"],
    ["Iosevka Charon Mono", "iosevka-charon-mono", 500, "normal"],
    ["Iosevka Charon Mono", "iosevka-charon-mono", 700, "normal"],
];

/// The rules that bring the fonts, as data inside the CSS.
export function fontFaces(modules) {
    return fonts
        .map(([family, name, weight, style]) => {
            const file = join(
                modules,
                "@fontsource",
                name,
                "files",
                `${name}-latin-${weight}-${style}.woff2`,
            );
            const data = readFileSync(file).toString("base64");
            return (
                `@font-face { font-family: "${family}"; font-weight: ${weight}; font-style: ${style};` +
                ` src: url(data:font/woff2;base64,${data}) format("woff2"); }`
            );
        })
        .join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, out, modules = "node_modules"] = process.argv.slice(2);
    const css = ["course.css", "code.css"].map((file) => readFileSync(join(folder, file), "utf8"));
    writeFileSync(out, [...css, fontFaces(modules), ""].join("\n"));
}
