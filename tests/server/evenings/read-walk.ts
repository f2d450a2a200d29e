import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PAGE = join(resolve(import.meta.dirname, "../../.."), "docs/operations.md");

/** A block of commands as in the document, with the bold words that introduce it. */
export type Block = { title: string; commands: string };

/** All blocks below a heading of docs/operations.md, in order; each has a title of its own, and all are shell. */
export function readWalk(heading: string): Block[] {
  const section = readFileSync(PAGE, "utf8")
    .split(/^## /m)
    .find((each) => each.startsWith(`${heading}\n`));
  if (!section) throw new Error(`docs/operations.md has no heading ${heading}`);
  const blocks: Block[] = [];
  // Indented blocks are code as well, and would be missed.
  if (/^ {4}\S/m.test(section.replace(/^```sh\n[\s\S]*?^```$/gm, "")))
    throw new Error(`${heading} has a block without a fence`);
  let title = "";
  for (const [, bold, kind, commands] of section.matchAll(
    /^\*\*(\d+\. [^*]+?)[.,]?\*\*|^```(.*)\n([\s\S]*?)^```$/gm,
  )) {
    if (bold) title = bold;
    else if (kind !== "sh" || title === "") throw new Error(`${heading} has a block that nobody follows`);
    else {
      blocks.push({ title, commands: commands ?? "" });
      title = "";
    }
  }
  return blocks;
}
