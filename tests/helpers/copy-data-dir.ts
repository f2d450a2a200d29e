import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** With owners and modes, which Node's own copying leaves out: PostgreSQL may have an account of its own. */
export function copyDataDir(ready: string): string {
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-own-"));
  execFileSync("cp", ["-a", `${ready}/.`, folder]);
  return folder;
}
