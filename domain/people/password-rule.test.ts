import fc from "fast-check";
import { expect, test } from "vitest";
import { checkPassword, findPasswordFault } from "./password-rule.ts";

const GOOD = "Abcdefghij1!";
const CHARACTER = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

test.each([
  ["", "Password must be at least 12 characters", ["length", "characters"]],
  ["Abcdefgh1!x", "Password must be at least 12 characters", ["length"]],
  [`Aa1!${"x".repeat(125)}`, "Password must be at most 128 characters", ["length"]],
  ["ABCDEFGH123!", "Password must include a lowercase letter", ["characters"]],
  ["abcdefgh123!", "Password must include an uppercase letter", ["characters"]],
  ["Abcdefghijk!", "Password must include a number", ["characters"]],
  ["Abcdefgh1234", "Password must include a symbol", ["characters"]],
  ["Abcdefgh 123", "Password must include a symbol", ["characters"]],
  ["Abcdefghé123", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1234\u200b", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1234\u00ad", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1234\u0085", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1234\u0007", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1234\u2060\ufeff", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1234\u3000", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1234\u2800", "Password must include a symbol", ["characters"]],
  ["Abcdefgh1e\u0301!", "Password must be at least 12 characters", ["length"]],
  ["Aa1!😀😀😀😀😀", "Password must be at least 12 characters", ["length"]],
])("%j is refused: %s", (password, message, reasons) => {
  expect(findPasswordFault(password)).toEqual({ message, reasons });
});

test.each(["Abcdefgh12!x", `Aa1!${"x".repeat(124)}`, "Éàbcdefgh٣₿xx", "Aa1!😀😀😀😀😀😀😀😀"])(
  "%j is taken",
  (password) => {
    expect(findPasswordFault(password)).toBe(null);
  },
);

test("length counts code points: eleven of any are too few, twelve are not", () => {
  const letter = fc.constantFrom("🐉", "é", "x", "字", "\u{1d400}");
  fc.assert(
    fc.property(fc.array(letter, { minLength: 7, maxLength: 7 }), (letters) => {
      const eleven = `aA1!${letters.join("")}`;
      expect(findPasswordFault(eleven)?.message).toBe("Password must be at least 12 characters");
      expect(findPasswordFault(`${eleven}y`)).toBeNull();
    }),
  );
});

test("more characters never break a rule but the longest length", () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER, maxLength: 100 }), (more) => {
      expect(findPasswordFault(GOOD + more)).toBeNull();
      expect(findPasswordFault(more + GOOD)).toBeNull();
    }),
  );
});

test("a password that lacks one class is refused for that class, in any order of its characters", () => {
  const classes = {
    "a lowercase letter": "abc",
    "an uppercase letter": "ABC",
    "a number": "123",
    "a symbol": "!-🐉",
  };
  const missing = fc.constantFrom(...(Object.keys(classes) as (keyof typeof classes)[]));
  fc.assert(
    fc.property(missing, fc.integer(), (left, seed) => {
      const others = Object.entries(classes).filter(([name]) => name !== left);
      const characters = others.flatMap(([, of]) => [...of, ...of]);
      const mixed = characters.map((_, index) => characters[(index * 7 + Math.abs(seed % 18)) % 18]).join("");
      expect(findPasswordFault(mixed)?.message).toBe(`Password must include ${left}`);
    }),
  );
});

test("each part of the rule is checked by itself; the longest length is named to who is over it", () => {
  const missing = (password: string) =>
    checkPassword(password).flatMap(({ label, isMet }) => (isMet ? [] : [label]));
  expect(missing("a")).toEqual([
    "At least 12 characters",
    "An uppercase letter",
    "A number",
    "A symbol, such as ! or #",
  ]);
  expect(missing(GOOD)).toEqual([]);
  expect(checkPassword(GOOD)).toHaveLength(5);
  expect(missing(`Aa1!${"x".repeat(125)}`)).toEqual(["At most 128 characters"]);
});

test("the list of its parts is met by the passwords that the rule takes, and by no other", () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER, maxLength: 140 }), (password) => {
      const isMet = checkPassword(password).every((check) => check.isMet);
      expect(isMet).toBe(findPasswordFault(password) === null);
    }),
  );
});
