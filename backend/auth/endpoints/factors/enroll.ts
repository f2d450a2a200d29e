import { randomUUID } from "node:crypto";
import * as v from "valibot";
import type { DatabaseError, Query } from "#backend/postgres/database.ts";
import { type Act, asPerson, recorded } from "../../audit/recorded.ts";
import { AuthError, onDuplicate, validationFailed } from "../../auth-error.ts";
import { requireFactorType } from "../../factors/factor-type.ts";
import { requireFactorRoom } from "../../factors/require-factor-room.ts";
import { seal } from "../../factors/sealed-secret.ts";
import { makeTotpKey } from "../../factors/totp.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requireRecentProof } from "../../sessions/recent-proof.ts";
import { requirePermanentUser, type SignedIn } from "../../sessions/require-user.ts";
import { readPhone } from "../../users/address.ts";
import { lockUser } from "../../users/user-row.ts";

const Body = v.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
type Fields = v.InferOutput<typeof Body>;

/** The values stored for a factor type, and the additional fields of its response. */
type Enrolled = { secret?: string; phone?: string; details: Record<string, unknown> };

/** Longer names fit neither a QR code nor a list. */
const MAX_NAME = 100;

const insertFactor = `
  insert into auth.mfa_factors
    (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone)
  values ($1, $2, $3, $4::auth.factor_type, 'unverified', now(), now(), $5, $6)`;

/** POST /factors. A factor becomes verified when it is first used. */
export async function enrollFactor(call: Call, service: AuthService): Promise<Reply> {
  const fields = readBody(call.request, Body);
  refuseLongNames(fields);
  const signedIn = await requirePermanentUser(call, service);
  const type = requireFactorType(fields.factor_type, service.config, "enroll");
  const person = await requireRecentProof(signedIn, service);
  const id = randomUUID();
  const made: Enrolled =
    type === "totp"
      ? makeTotp(id, fields, person, service)
      : type === "phone"
        ? readNumber(fields)
        : { details: {} };
  await service.database.transaction(async (query) => {
    // Locks the user, so that two concurrent requests cannot exceed the limits together.
    await lockUser(query, person.user.id);
    await removeStale(query, person.user.id, service.config.factorExpiry, made.phone ?? null);
    await requireFactorRoom(query, person, service.config, { isNew: true });
    const values = [id, person.user.id, fields.friendly_name, type, made.secret ?? null, made.phone ?? null];
    const actor = asPerson(person.user, call.client);
    const act: Act = { action: "factor_in_progress", actor, traits: { factor_id: id } };
    await query(...recorded(act, insertFactor, values)).catch(
      onDuplicate(refuseDuplicate(fields.friendly_name)),
    );
  });
  return { status: 200, body: { id, type, friendly_name: fields.friendly_name, ...made.details } };
}

function refuseLongNames({ friendly_name: name, issuer }: Fields): void {
  if (name.length > MAX_NAME || issuer.length > MAX_NAME) {
    throw validationFailed(`friendly_name and issuer may have ${MAX_NAME} characters at most`);
  }
}

function makeTotp(
  id: string,
  { issuer }: Fields,
  { user }: SignedIn,
  { config, sealingKeys }: AuthService,
): Enrolled {
  const key = makeTotpKey(issuer || new URL(config.siteUrl).host, user.email || user.phone || user.id);
  return { secret: seal(key.secret, id, sealingKeys), details: { totp: key } };
}

function readNumber({ phone }: Fields): Enrolled {
  if (phone === "") throw validationFailed("Phone number required to enroll Phone factor");
  return { phone: readPhone(phone), details: { phone } };
}

/** Removes expired unverified factors, and an earlier attempt with the same number. */
async function removeStale(
  query: Query,
  userId: string,
  expiry: number,
  phone: string | null,
): Promise<void> {
  await query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
       and (created_at < now() - make_interval(secs => $2) or phone = $3)`,
    [userId, String(expiry), phone],
  );
}

function refuseDuplicate(name: string) {
  return ({ constraint }: DatabaseError): AuthError => {
    if (constraint === "unique_phone_factor_per_user") {
      const message = "A verified phone factor already exists, unenroll the existing factor to continue";
      return new AuthError(422, "mfa_verified_factor_exists", message);
    }
    const message = `A factor with the friendly name "${name}" for this user already exists`;
    return new AuthError(422, "mfa_factor_name_conflict", message);
  };
}
