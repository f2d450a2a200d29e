import type { Chance } from "#tests/helpers/chance.ts";

const TEXTS = [
  "",
  " ",
  "0",
  "-1",
  "1e400",
  "NaN",
  "null",
  "undefined",
  "true",
  "99999999999999999999",
  "2147483648",
  "-9223372036854775809",
  "2026-02-30",
  "infinity",
  "'; drop table items; --",
  '"',
  "\\",
  "%",
  "%00",
  "%ff",
  "%zz",
  "%E0%80%80",
  "\u0000",
  "\ud800",
  "\u202e",
  "é",
  "𝒳",
  "👩‍👩‍👧‍👦",
  "\r\nx: y",
  "../../../etc/passwd",
  "..%2f..%2f",
  "//example.org",
  "javascript:alert(1)",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "{",
  "[",
  "()",
  "{1,2}",
  "[1,5)",
  "(1,2)",
  "*",
  ",",
  ".",
  "=",
  "&",
  "#",
  "?",
  ";",
  "1=1",
  "00000000-0000-0000-0000-000000000000",
  "(a+)+$",
] as const;

const LONG = [300, 2_000, 9_000, 60_000];

export function oddText(chance: Chance): string {
  const roll = chance.random();
  if (roll < 0.7) return chance.pick(TEXTS);
  if (roll < 0.9) return noise(chance, chance.between(1, 12));
  if (roll < 0.98) return chance.pick(TEXTS).repeat(chance.between(2, 40));
  return chance.pick(["a", "(", "%", "é", '"', "a.", "1,"]).repeat(chance.pick(LONG));
}

/** Random characters, mostly ASCII. */
export function noise(chance: Chance, length: number): string {
  let text = "";
  for (let at = 0; at < length; at++)
    text += String.fromCharCode(chance.chance(0.8) ? chance.between(32, 126) : chance.between(0, 0xffff));
  return text;
}

export function noiseBytes(chance: Chance, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => chance.between(0, 255)));
}

export function oddJson(chance: Chance, depth = 3): unknown {
  const kind = chance.between(0, depth > 0 ? 9 : 6);
  if (kind <= 2) return oddText(chance);
  if (kind === 3) return chance.pick([0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31) - 1, 1e21, -0]);
  if (kind === 4) return chance.pick([true, false]);
  if (kind === 5) return null;
  if (kind === 6) return chance.pick([[], {}]);
  const length = chance.between(0, 4);
  if (kind === 7) return Array.from({ length }, () => oddJson(chance, depth - 1));
  if (kind === 8) return nest(chance.pick([20, 200, 3_000]));
  return Object.fromEntries(
    Array.from({ length }, () => [chance.pick(["id", "name", oddText(chance)]), oddJson(chance, depth - 1)]),
  );
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}
