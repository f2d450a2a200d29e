import * as v from "valibot";
import { expect, test } from "vitest";
import { contactSchema } from "./contact.ts";

const message = { name: "Ada", email: "ada@example.com", subject: "Hello", message: "Kitsune fell." };

function refusal(change: Partial<typeof message>) {
  return v.safeParse(contactSchema, { ...message, ...change }).issues?.[0].message;
}

test.each([
  [{ name: " " }, "Name is required"],
  [{ name: "a".repeat(101) }, "Name must be at most 100 characters"],
  [{ email: "abc" }, "Invalid email address"],
  [{ email: "" }, "Invalid email address"],
  [{ email: `${"a".repeat(244)}@example.com` }, "Email must be at most 255 characters"],
  [{ subject: "" }, "Subject is required"],
  [{ subject: "a".repeat(201) }, "Subject must be at most 200 characters"],
  [{ message: "\n" }, "Message is required"],
  [{ message: "a".repeat(2001) }, "Message must be at most 2000 characters"],
])("%j is refused: %s", (change, sentence) => expect(refusal(change)).toBe(sentence));

test.each([
  { name: "🐉".repeat(100) },
  { email: `${"a".repeat(243)}@example.com` },
  { subject: "a".repeat(200) },
  { message: "a".repeat(2000) },
])("the longest of each is taken", (change) => expect(refusal(change)).toBeUndefined());

test("white space around an answer does not count", () => {
  expect(v.parse(contactSchema, { ...message, email: " ada@example.com " }).email).toBe("ada@example.com");
});
