// For tests of scripts: temporary folders, which are deleted when the test's process ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/// Creates an empty folder whose name begins with this text.
export function scratchFolder(name) {
    const folder = mkdtempSync(join(tmpdir(), name));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
}
