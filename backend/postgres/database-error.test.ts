import { expect, test } from "vitest";
import { DatabaseError, DatabaseUnavailableError, toDatabaseError } from "./database-error.ts";
import { isStale } from "./run-batch.ts";

const sent = (severity: string | undefined, code: string | undefined, message = "no") =>
  Object.assign(new Error(message), { severity, code });

test.each([
  ["ERROR", "23505", "duplicate key"],
  ["ERROR", "P0001", ""],
  ["ERROR", "57P01", "raised by a function"],
  ["FEHLER", "23505", "doppelter Schlüsselwert"],
  ["ОШИБКА", "22P02", "неверный синтаксис"],
  ["FEHLER", "57014", "storniere Anfrage"],
])("a statement's error is one in every language: %s %s", (severity, code, message) => {
  const error = toDatabaseError(sent(severity, code, message));
  expect(error).toBeInstanceOf(DatabaseError);
  expect(error).toMatchObject({ code, message });
});

test.each([
  ["FATAL", "57P01"],
  ["ВАЖНО", "57P01"],
  ["PANIC", "XX000"],
  ["FATALE", "25P03"],
  [undefined, "ECONNRESET"],
  [undefined, undefined],
])("an error that ends the connection is none of a statement: %s %s", (severity, code) => {
  expect(toDatabaseError(sent(severity, code))).toBeInstanceOf(DatabaseUnavailableError);
});

test.each([
  ["0A000", "RevalidateCachedQuery", true],
  ["0A000", "transformInsertStmt", false],
  ["26000", "exec_bind_message", true],
  ["42P01", "RevalidateCachedQuery", false],
])("a stale statement is recognized without its message: %s in %s", (code, routine, stale) => {
  expect(isStale({ ...sent("FEHLER", code), routine })).toBe(stale);
});
