import { expect, test } from "vitest";
import { refuseCommon } from "./common-passwords.ts";

test.each([
  "password",
  "Password1234!",
  "P@ssw0rd2026!",
  "!!Sunshine-1999",
  "PasswordPassword1!",
  "Qwertyuiop12!",
  "1qaz2wsx",
])("%s is refused: everybody has it", async (password) => {
  await expect(refuseCommon(password)).rejects.toMatchObject({
    status: 422,
    code: "weak_password",
    message: "Password is known to be weak and easy to guess, please choose a different one.",
    more: { weak_password: { reasons: ["pwned"] } },
  });
});

test.each(["Correct horse 7 battery!", "Sunshine over 9 reefs!", "Абвгдежзийк1!", "9981-2231-0075!a", ""])(
  "%s is not",
  async (password) => expect(await refuseCommon(password)).toBe(undefined),
);
