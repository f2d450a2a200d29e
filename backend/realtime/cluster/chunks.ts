// PostgreSQL limits a notification to less than 8,000 bytes; the remainder is for the part's header.
const PART_BYTES = 7_800;
const MAX_WAIT_MS = 10_000;

/** Splits a text into notifications. Each begins with `id index count `. */
export function toParts(id: string, text: string): string[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
  // Base64 is needed only if a split could fall within a character.
  if (count === 1) return [`${id} 0 1 ${text}`];
  const encoded = bytes.toString("base64");
  const parts = Math.ceil(encoded.length / PART_BYTES);
  return Array.from(
    { length: parts },
    (_, index) => `${id} ${index} ${parts} ${encoded.slice(index * PART_BYTES, (index + 1) * PART_BYTES)}`,
  );
}

/** Reassembles parts; those of a text that stays incomplete are discarded. */
export class PartReader {
  readonly #unfinished = new Map<string, { parts: string[]; missing: number; since: number }>();

  /** Returns the whole text once its last part has arrived. */
  read(payload: string, now = performance.now()): string | null {
    const match = /^(\S+) (\d+) (\d+) /.exec(payload);
    if (!match) return null;
    const [head, id = "", index = "", count = ""] = match;
    const part = payload.slice(head.length);
    if (count === "1") return part;
    return this.#add(id, Number(index), Number(count), part, now);
  }

  #add(id: string, index: number, count: number, part: string, now: number): string | null {
    const known = this.#unfinished.get(id) ?? { parts: [], missing: count, since: now };
    if (known.parts[index] === undefined) known.missing--;
    known.parts[index] = part;
    this.#unfinished.set(id, known);
    this.#forgetOld(now);
    if (known.missing > 0) return null;
    this.#unfinished.delete(id);
    return Buffer.from(known.parts.join(""), "base64").toString();
  }

  #forgetOld(now: number): void {
    for (const [id, { since }] of this.#unfinished) {
      if (now - since > MAX_WAIT_MS) this.#unfinished.delete(id);
    }
  }
}
