import * as v from "valibot";
import { validationFailed } from "../../../auth-error.ts";
import { flag, text } from "../../../requests/read-body.ts";
import { isUuid } from "../../../requests/uuid.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { metadata } from "../../../users/metadata.ts";

export const UserFields = v.object({
  id: text,
  email: text,
  phone: text,
  /** An empty one is none for a new account, and refused as too short for an existing one. */
  password: v.nullish(v.string()),
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text,
  role: text,
});
export type UserFields = v.InferOutput<typeof UserFields>;

const HASH = /^\$(2[abxy]\$\d\d\$|argon2id?\$)/;

/** The hash to store, from a password or imported; null if neither is given. */
export async function passwordHashOf(fields: UserFields, { passwords }: AuthService): Promise<string | null> {
  const { password_hash: hash } = fields;
  const password = fields.password ?? "";
  if (password !== "" && hash !== "") {
    throw validationFailed("Only a password or a password hash should be provided");
  }
  if (hash !== "") {
    if (!HASH.test(hash)) throw validationFailed("Invalid password hash: bcrypt or argon2 is expected");
    return hash;
  }
  return password === "" ? null : passwords.hash(password);
}

const UNIT_SECONDS: Record<string, number> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** Parses durations such as `24h` and `1h30m`; `none` lifts a ban and yields 0. Null if absent. */
export function readBanSeconds(text: string): number | null {
  if (text === "") return null;
  if (text === "none") return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw validationFailed(`invalid format for ban duration: time: invalid duration "${text.slice(0, 50)}"`);
  }
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_SECONDS[unit as string] as number),
    0,
  );
}

/** The audit log's name for an operator. */
const NIL = "00000000-0000-0000-0000-000000000000";

export function readId(text: string): string {
  if (!isUuid(text)) throw validationFailed("ID must conform to the uuid v4 format");
  if (text === NIL) throw validationFailed("ID cannot be a nil uuid");
  return text;
}
