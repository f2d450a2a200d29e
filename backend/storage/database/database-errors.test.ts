import { expect, test } from "vitest";
import { DatabaseError } from "#backend/postgres/database.ts";
import { accessDenied } from "../storage-error.ts";
import { toStorageError } from "./database-errors.ts";

test("a full disk of the database asks the client to try again", () => {
  const full = new DatabaseError({ code: "53100", message: "No space left on device" });
  expect(toStorageError(full)).toMatchObject({ statusCode: 503, code: "DatabaseError" });
});

const german = (code: string, routine: string, message: string) =>
  toStorageError(new DatabaseError({ code, routine, message }));

test("refusals are told apart on a server in any language", () => {
  const row = "neue Zeile verletzt Policy für Sicherheit auf Zeilenebene für Tabelle »objects«";
  expect(german("42501", "ExecWithCheckOptions", row)).toEqual(
    accessDenied("new row violates row-level security policy"),
  );
  const table = "keine Berechtigung für Tabelle objects";
  expect(german("42501", "aclcheck_error", table)).toEqual(accessDenied(table));
  expect(german("22023", "call_string_check_hook", "Rolle »nobody« existiert nicht")).toEqual(accessDenied());
});
