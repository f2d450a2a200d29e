import * as v from "valibot";
import { expect, test } from "vitest";
import { emailSchema, signUpSchema } from "./credentials.ts";

const GOOD = "Abcdefghij1!";
const email = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

test.each([
  ["", "Please enter a valid email"],
  ["abc", "Please enter a valid email"],
  ["a@", "Please enter a valid email"],
  ["a@b", "Please enter a valid email"],
  ["a@-b.example", "Please enter a valid email"],
  ["a..b@example.com", "Please enter a valid email"],
  ["a @example.com", "Please enter a valid email"],
  [email(256), "Email must be at most 255 characters"],
])("the address %j is refused: %s", (address, sentence) =>
  expect(v.safeParse(emailSchema, address).issues?.[0].message).toBe(sentence),
);

test.each(["o'brien@example.com", "a&b@example.com", "ann@xn--mnchen-3ya.example", "ann@mail.xn--p1ai"])(
  "the address %s is taken, as by the auth service",
  (address) => expect(v.parse(emailSchema, address)).toBe(address),
);

test("white space around an address and invisible characters are no part of it", () =>
  expect(v.parse(emailSchema, "\u200e a@exa\u200bmple.com\ufeff ")).toBe("a@example.com"));

test("only the first failure is reported: the e-mail's, else the password's", () => {
  const faults = (typed: object) => {
    const result = signUpSchema["~standard"].validate(typed);
    return "issues" in result ? result.issues?.map(({ message }) => message) : [];
  };
  expect(faults({ email: "abc", password: "a" })).toEqual(["Please enter a valid email"]);
  expect(faults({ email: "a@example.com", password: "a" })).toEqual([
    "Password must be at least 12 characters",
  ]);
});

test.each([GOOD, `Aa1!${"x".repeat(124)}`, "Ärgerliches٣★", "Ωμεγα-δελτα7"])(
  "the password %s is taken",
  (password) => expect(v.is(signUpSchema, { email: email(255), password })).toBe(true),
);
