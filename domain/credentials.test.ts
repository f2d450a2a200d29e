import fc from "fast-check";
import { expect, test } from "vitest";
import { findEmailFault, findPasswordFault, findSignUpFault } from "./credentials.ts";

const GOOD = "Abcdefghij1!";
const CHARACTER = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
const email = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

test.each([
  ["", "Please enter a valid email"],
  ["abc", "Please enter a valid email"],
  ["a@", "Please enter a valid email"],
  ["a@b", "Please enter a valid email"],
  [" a@example.com", "Please enter a valid email"],
  [email(256), "Email must be at most 255 characters"],
])("the address %j is refused: %s", (address, sentence) => expect(findEmailFault(address)).toBe(sentence));

test.each([
  ["a", "Password must be at least 12 characters"],
  ["Abcdefgh1!x", "Password must be at least 12 characters"],
  [`Aa1!${"x".repeat(125)}`, "Password must be at most 128 characters"],
  ["ABCDEFGH123!", "Password must include a lowercase letter"],
  ["abcdefgh123!", "Password must include an uppercase letter"],
  ["Abcdefghijk!", "Password must include a number"],
  ["Abcdefgh1234", "Password must include a symbol"],
  ["Abcdefgh 1234", "Password must include a symbol"],
  ["Abcdefgh1234é", "Password must include a symbol"],
])("the password %j is refused: %s", (password, sentence) =>
  expect(findPasswordFault(password)?.message).toBe(sentence),
);

test("the first failure is the e-mail's, whatever the password", () => {
  expect(findSignUpFault({ email: "abc", password: "a" })).toEqual({
    field: "email",
    message: "Please enter a valid email",
  });
  expect(findSignUpFault({ email: "a@example.com", password: "a" })?.field).toBe("password");
});

test("every broken rule has its reason, once", () => {
  expect(findPasswordFault("a")?.reasons).toEqual(["length", "characters"]);
  expect(findPasswordFault("aaaaaaaaaaaa")?.reasons).toEqual(["characters"]);
  expect(findPasswordFault(`${GOOD}${"x".repeat(128)}`)?.reasons).toEqual(["length"]);
});

test.each([GOOD, `Aa1!${"x".repeat(124)}`, "Ärgerliches٣★", "Ωμεγα-δελτα7"])(
  "the password %s is taken",
  (password) => expect(findSignUpFault({ email: email(255), password })).toBeNull(),
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
