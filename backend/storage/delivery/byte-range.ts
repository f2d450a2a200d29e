import type { ByteRange } from "../files/object-store.ts";

/**
 * The one range that a Range header asks for (RFC 9110 §14). `all` for none, for several and for other units, which a
 * server may answer in full; `unsatisfiable` where nothing of the file is in it.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "all" | "unsatisfiable" {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "all";
  if (first === "") return lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return "all";
  return start < size ? { start, end } : "unsatisfiable";
}

function lastBytes(count: number, size: number): ByteRange | "unsatisfiable" {
  if (count === 0 || size === 0) return "unsatisfiable";
  return { start: Math.max(0, size - count), end: size - 1 };
}
