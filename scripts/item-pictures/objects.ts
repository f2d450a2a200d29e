/** What is no fruit, on a field of 96, with the place and size that its emblem takes. */
export type ObjectShape = { body: string; detail: string; emblem: { x: number; y: number; scale: number } };

/** A pass: a ticket with two bites and a torn-off end. */
const PASS: ObjectShape = {
  body: "M14 26h68a4 4 0 0 1 4 4v10a9 9 0 0 0 0 18v10a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4V58a9 9 0 0 0 0-18V30a4 4 0 0 1 4-4z",
  detail: "M26 28v42M70 28v42M31 32h34v34H31z",
  emblem: { x: 48, y: 49, scale: 0.9 },
};

/** A coin with a milled rim. */
const COIN: ObjectShape = {
  body: "M48 14a35 35 0 1 1-.1 0z",
  detail:
    "M48 21a28 28 0 1 1-.1 0zM48 14v5M48 79v5M13 49h5M78 49h5M23 24l4 4M69 70l4 4M73 24l-4 4M27 70l-4 4",
  emblem: { x: 48, y: 49, scale: 1.15 },
};

/** A wooden crest, for what is found and shown. */
const CREST: ObjectShape = {
  body: "M48 12c11 7 21 9 33 8 2 30-7 54-33 66C22 74 13 50 15 20c12 1 22-1 33-8z",
  detail: "M48 20c8 5 16 7 25 7 1 24-6 42-25 51-19-9-26-27-25-51 9 0 17-2 25-7z",
  emblem: { x: 48, y: 48, scale: 1.1 },
};

/** The shape of a thing by its type and name. */
export function objectShapeOf(type: string, name: string): ObjectShape {
  if (type === "gamepass") return PASS;
  return /token|coin/i.test(name) ? COIN : CREST;
}
