import fc from "fast-check";

/** Like `unit: "binary"` of `fc.string`, which takes two seconds to enumerate the characters first. */
export const ANY_CHARACTER = fc
  .oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }))
  .map((point) => String.fromCodePoint(point));
