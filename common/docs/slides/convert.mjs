// Runs Marp on the output of `kit_author deck`:  node convert.mjs IN.md OUT.html|OUT.pdf THEME.css
// Engine and theme are arguments, and CHROME_PATH is the path of the browser for a PDF, so nothing is searched for.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { marpCli } from "@marp-team/marp-cli";

const [input, output, theme] = process.argv.slice(2);
const engine = join(fileURLToPath(import.meta.url), "../engine.mjs");
const options = ["--no-config-file", "--html", "--engine", engine, "--theme", theme, "--output", output];
if (output.endsWith(".pdf")) {
    if (process.getuid?.() === 0) process.env.CHROME_NO_SANDBOX = "1"; // the browser's sandbox works only for users other than
                                                                       // root
    options.push("--pdf", "--pdf-outlines", "--pdf-outlines.pages=false");
    options.push("--browser-path", process.env.CHROME_PATH, "--browser-timeout", "120");
}

// Marp does not remove the browser's profile, which takes 2 MB for each PDF.
const scratch = mkdtempSync(join(tmpdir(), "slides-"));
process.env.TMPDIR = scratch;
const status = await marpCli([input, ...options]);
rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
process.exit(status);
