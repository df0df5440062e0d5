// Runs Marp on an expanded deck:  node convert.mjs IN.md OUT.html|OUT.pdf THEME.css
// Nothing is searched for: engine and theme are given, and the browser for a PDF is the one that the checks use.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { marpCli } from "@marp-team/marp-cli";
import { findBrowser } from "../common/docs/browser.mjs";

const [input, output, theme] = process.argv.slice(2);
const engine = join(dirname(fileURLToPath(import.meta.url)), "engine.mjs");
const options = ["--no-config-file", "--html", "--engine", engine, "--theme", theme, "--output", output];
if (output.endsWith(".pdf")) {
    const browser = findBrowser();
    if (!browser) {
        console.error(
            "PDF needs Chromium: none in PATH, none in CHROME_PATH (Debian: apt-get install chromium)",
        );
        process.exit(1);
    }
    if (process.getuid?.() === 0) process.env.CHROME_NO_SANDBOX = "1"; // its sandbox needs a user who is not root
    options.push(
        "--pdf",
        "--pdf-outlines",
        "--pdf-outlines.pages=false",
        "--browser-path",
        browser,
        "--browser-timeout",
        "120",
    );
}
process.exit(await marpCli([input, ...options]));
