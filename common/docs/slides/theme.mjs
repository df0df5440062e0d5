// Writes the theme of the slides:  node theme.mjs THEME_FOLDER OUT.css
// It is one file of CSS that contains the fonts, so that a deck is one file that looks the same on every machine.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The fonts: family, package, styles.
const fonts = [
    ["Inter", "inter", ["400-normal", "400-italic", "600-normal", "700-normal"]],
    ["Arimo", "arimo", ["400-normal", "400-italic", "700-normal"]],
    ["Iosevka Charon Mono", "iosevka-charon-mono", ["500-normal", "700-normal"]],
];

const [folder, out] = process.argv.slice(2);
const css = ["course.css", "code.css"].map((file) => readFileSync(join(folder, file), "utf8"));
for (const [family, name, styles] of fonts) {
    for (const [weight, style] of styles.map((each) => each.split("-"))) {
        const file = createRequire(import.meta.url).resolve(
            `@fontsource/${name}/files/${name}-latin-${weight}-${style}.woff2`,
        );
        css.push(
            `@font-face { font-family: "${family}"; font-weight: ${weight}; font-style: ${style};` +
                ` src: url(data:font/woff2;base64,${readFileSync(file, "base64")}) format("woff2"); }`,
        );
    }
}
writeFileSync(out, [...css, ""].join("\n"));
