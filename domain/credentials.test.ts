import { expect, test } from "vitest";
import { findEmailFault, findSignUpFault } from "./credentials.ts";

const GOOD = "Abcdefghij1!";
const email = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

test.each([
  ["", "Please enter a valid email"],
  ["abc", "Please enter a valid email"],
  ["a@", "Please enter a valid email"],
  ["a@b", "Please enter a valid email"],
  [" a@example.com", "Please enter a valid email"],
  [email(256), "Email must be at most 255 characters"],
])("the address %j is refused: %s", (address, sentence) => expect(findEmailFault(address)).toBe(sentence));

test("the first failure is the e-mail's, whatever the password", () => {
  expect(findSignUpFault({ email: "abc", password: "a" })).toEqual({
    field: "email",
    message: "Please enter a valid email",
  });
  expect(findSignUpFault({ email: "a@example.com", password: "a" })?.field).toBe("password");
});

test.each([GOOD, `Aa1!${"x".repeat(124)}`, "Ärgerliches٣★", "Ωμεγα-δελτα7"])(
  "the password %s is taken",
  (password) => expect(findSignUpFault({ email: email(255), password })).toBeNull(),
);
