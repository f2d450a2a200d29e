import { readFileSync } from "node:fs";

/** A text of the corpus of evasions: its kind, its messages in their order, and the parts that do the harm. */
export type Evasion = { kind: string; line: string; messages: string[]; harm: string[] };

/** The lines of a corpus beside this file, without remarks. */
export function readLines(name: string): string[] {
  const lines = readFileSync(new URL(`${name}.txt`, import.meta.url), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("# "));
}

/** The corpora of evasions: `## kind` begins a kind, `{…}` marks what does the harm, ` / ` parts split messages. */
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
