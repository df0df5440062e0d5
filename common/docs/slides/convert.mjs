// Runs Marp on what `kit_course deck` wrote:  node convert.mjs IN.md OUT.html|OUT.pdf THEME.css
// Nothing is searched for: engine and theme are given, and CHROME_PATH says where the browser for a PDF is.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { marpCli } from "@marp-team/marp-cli";

const [input, output, theme] = process.argv.slice(2);
const engine = join(fileURLToPath(import.meta.url), "../engine.mjs");
const options = ["--no-config-file", "--html", "--engine", engine, "--theme", theme, "--output", output];
if (output.endsWith(".pdf")) {
    if (process.getuid?.() === 0) process.env.CHROME_NO_SANDBOX = "1"; // its sandbox needs a user who is not root
    options.push("--pdf", "--pdf-outlines", "--pdf-outlines.pages=false");
    options.push("--browser-path", process.env.CHROME_PATH, "--browser-timeout", "120");
}
process.exit(await marpCli([input, ...options]));
