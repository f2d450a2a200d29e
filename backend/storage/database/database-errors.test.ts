import { expect, test } from "vitest";
import { DatabaseError } from "#backend/postgres/database.ts";
import { toStorageError } from "./database-errors.ts";

test("a full disk of the database asks the client to try again", () => {
  const full = new DatabaseError({ code: "53100", message: "No space left on device" });
  expect(toStorageError(full)).toMatchObject({ statusCode: 503, code: "DatabaseError" });
});
