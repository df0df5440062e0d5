// For the tests of scripts: folders that are gone when the test's process ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/// A new, empty folder, whose name begins like this.
export function scratchFolder(name) {
    const folder = mkdtempSync(join(tmpdir(), name));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}
