import { expect, test } from "vitest";
import { readLinkAnswer } from "./link-answer.ts";

const read = (hash: string, search = "") => readLinkAnswer({ hash, search });

test("an expired link shows our own sentence, wherever the error stands in the address", () => {
  const notice = { text: "This link has expired or was used already. Ask for a new one.", isProblem: true };
  const error =
    "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired";
  expect(read(`#${error}&sb=`)).toEqual({ notice, purpose: null });
  expect(read("", `?${error}`)).toEqual({ notice, purpose: null });
});

test("an unknown error shows our own sentence, never text from the address", () => {
  const text = "This link could not be used. Ask for a new one.";
  expect(read("#error=server_error&error_description=Call+555+now").notice?.text).toBe(text);
  expect(read("#error=constructor").notice?.text).toBe(text);
});

test("the first of two confirmations asks for the second, whatever the address says", () => {
  const text = "Confirmation link accepted. Please proceed to confirm the link sent to the other email.";
  expect(read("#message=Win+a+fruit+at+evil.example").notice).toEqual({ text, isProblem: false });
});

test.each([
  ["recovery", undefined],
  ["signup", "Email confirmed"],
  ["email_change", "Email changed"],
  ["magiclink", "Logged in successfully"],
])("a successful %s link shows a message for its purpose", (type, title) => {
  const { notice, purpose } = read(`#access_token=a.b.c&refresh_token=d&type=${type}`);
  expect([notice, purpose?.type, purpose?.welcome?.title]).toEqual([null, type, title]);
});

test("an address without a link's parameters shows nothing", () => {
  expect(read("#main", "?q=tiger&type=recovery")).toEqual({ notice: null, purpose: null });
});

test.each([
  ["error=access_denied", "You didn’t finish signing in there. Try again, or choose another way."],
  [
    "error=invalid_request&error_code=bad_oauth_state",
    "That took too long, or was opened a second time. Please try again.",
  ],
  [
    "error=invalid_request&error_code=identity_already_exists",
    "That account is already linked, to this account or another one.",
  ],
])("a failure at a provider is explained in a sentence: %s", (error, text) => {
  expect(read(`#${error}`).notice).toEqual({ text, isProblem: true });
});

test("a linked account is confirmed", () => {
  expect(read("#access_token=a.b.c", "?linked=discord").purpose?.welcome?.title).toBe("Account linked");
});
