import { expect, test } from "vitest";
import { refuseCommon, refuseOwnAddress, refuseOwnWords } from "./common-passwords.ts";

test.each([
  "password",
  "Password1234!",
  "P@ssw0rd2026!",
  "!!Sunshine-1999",
  "PasswordPassword1!",
  "Qwertyuiop12!",
  "1qaz2wsx",
])("%s is refused as common", async (password) => {
  await expect(refuseCommon(password)).rejects.toMatchObject({
    status: 422,
    code: "weak_password",
    message: "Password is too close to one of the 3000 most common ones, please choose a different one.",
    more: { weak_password: { reasons: ["pwned"] } },
  });
});

test.each(["Correct horse 7 battery!", "Sunshine over 9 reefs!", "Абвгдежзийк1!", "9981-2231-0075!a", ""])(
  "%s is accepted",
  async (password) => expect(await refuseCommon(password)).toBe(undefined),
);

test.each([
  ["Mara.Long7@example.org", "mara.long7@example.org"],
  ["!mara.long7@Example.org1", "mara.long7@example.org"],
  ["Maralong-1999!", "maralong@example.org"],
  ["MaraLongMaraLong1!", "maralong22@example.org"],
  ["Ab!4915112345678", "4915112345678"],
])("%s is refused for the account %s", (password, address) => {
  expect(() => refuseOwnAddress(password, [null, address])).toThrow(
    "Password must not be the account's own address or number.",
  );
});

test("a name of three letters, or one within other words, does not count as the address", () => {
  const own = ["ann@example.org", "maralong@example.org"];
  for (const password of ["Ann-19991999!", "Maralong swims at 9!"]) refuseOwnAddress(password, own);
});

test("the site's own names are refused with any prefix or suffix, but may be part of a password", () => {
  const names = ["Fruit Values", "Blox Fruits", "Gamer Robot Inc."];
  for (const password of [
    "FruitValues1!",
    "!Fruit-Values 2026",
    "Bl0xFruits1!",
    "Fruits1234!",
    "GAMER robot inc 1!",
  ])
    expect(() => refuseOwnWords(password, names), password).toThrow(/must not be a name of this site/);
  for (const password of ["Correct horse 7 battery!", "My fruits are 9 reefs away!", "Incapable-7-Ways", ""])
    expect(() => refuseOwnWords(password, names), password).not.toThrow();
  expect(() => refuseOwnWords("", [""])).not.toThrow();
});
