import type { Query } from "#backend/postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import { findUser } from "./user-row.ts";

export function emailExists(): AuthError {
  return new AuthError(422, "email_exists", "A user with this email address has already been registered");
}

export function phoneExists(): AuthError {
  return new AuthError(422, "phone_exists", "A user with this phone number has already been registered");
}

/** @throws AuthError 422 if another account has the address or number */
export async function refuseTaken(
  query: Query,
  { email = null, phone = null }: { email?: string | null; phone?: string | null },
): Promise<void> {
  if (email && (await findUser(query, "email", email))) throw emailExists();
  if (phone && (await findUser(query, "phone", phone))) throw phoneExists();
}
