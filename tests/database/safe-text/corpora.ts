import { readFileSync } from "node:fs";

/** An entry of the evasion corpus: its kind, its messages in order, and the harmful parts. */
export type Evasion = { kind: string; line: string; messages: string[]; harm: string[] };

/** The lines of a corpus next to this file, without comments. */
export function readLines(name: string): string[] {
  const lines = readFileSync(new URL(`${name}.txt`, import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("# "));
}

/** Reads an evasion corpus: `## kind` begins a kind, `{…}` marks harmful parts, ` / ` separates messages. */
export function readEvasions(name: string): Evasion[] {
  let kind = "";
  return readLines(name).flatMap((line) => {
    if (line.startsWith("## ")) {
      kind = line.slice(3);
      return [];
    }
    const plain = line.replace(/[{}]/g, "");
    return {
      kind,
      line,
      messages: kind === "split messages" ? plain.split(" / ") : [plain],
      harm: [...line.matchAll(/\{([^}]*)\}/g)].map(([, part]) => part as string),
    };
  });
}
