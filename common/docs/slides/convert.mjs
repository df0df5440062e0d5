// Runs Marp on what `kit_author deck` wrote:  node convert.mjs IN.md OUT.html|OUT.pdf THEME.css
// Nothing is searched for: engine and theme are given, and CHROME_PATH says where the browser for a PDF is.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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

// Marp leaves the browser's profile behind, 2 MB for each PDF.
const scratch = mkdtempSync(join(tmpdir(), "slides-"));
process.env.TMPDIR = scratch;
const status = await marpCli([input, ...options]);
rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
process.exit(status);
