import { expect, test } from "vitest";
import { parseContactForm } from "./contact-input.ts";

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  const all = {
    name: "Mara",
    email: "mara@example.com",
    subject: "A value",
    message: "Tiger is low.",
    ...fields,
  };
  for (const [field, text] of Object.entries(all)) form.set(field, text);
  return form;
}

function errorsOf(fields: Record<string, string>) {
  const input = parseContactForm(formOf(fields));
  return input.ok ? null : input.errors;
}

const email = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

test.each([
  [{ name: "" }, { name: "Name is required" }],
  [{ name: "   " }, { name: "Name is required" }],
  [{ name: "a".repeat(101) }, { name: "Name must be at most 100 characters" }],
  [{ email: "abc" }, { email: "Invalid email address" }],
  [{ email: "" }, { email: "Invalid email address" }],
  [{ email: email(256) }, { email: "Email must be at most 255 characters" }],
  [{ subject: "" }, { subject: "Subject is required" }],
  [{ subject: "a".repeat(201) }, { subject: "Subject must be at most 200 characters" }],
  [{ message: "" }, { message: "Message is required" }],
  [{ message: "🍓".repeat(2001) }, { message: "Message must be at most 2000 characters" }],
])("%o is refused with one message at its field", (fields, errors) => {
  expect(errorsOf(fields)).toEqual(errors);
});

test.each([
  { name: "a".repeat(100) },
  { email: email(255) },
  { subject: "a".repeat(200) },
  { message: "🍓".repeat(2000) },
] as Record<string, string>[])("a text of the maximum length is accepted", (fields) => {
  expect(errorsOf(fields)).toBeNull();
});

test("all refused fields are named at once, and what was typed is kept", () => {
  const input = parseContactForm(formOf({ name: "", email: "abc", subject: "" }));
  expect(input).toMatchObject({ ok: false, typed: { email: "abc", message: "Tiger is low." } });
  expect(Object.keys((input as { errors: object }).errors)).toEqual(["name", "email", "subject"]);
});

test("a line break counts as one character, however the form was posted", () => {
  expect(errorsOf({ message: `${"a\r\n".repeat(999)}ab` })).toBeNull();
});

test("a form without its fields is refused instead of crashing", () => {
  expect(parseContactForm(new FormData()).ok).toBe(false);
});
