import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { DatabaseError } from "#backend/postgres/database.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { requireUser, type SignedIn } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { seal } from "./sealed-secret.ts";
import { makeTotpKey } from "./totp.ts";

const Body = v.object({ factor_type: text, friendly_name: text, issuer: text });

/** Seconds after which a factor that was never verified makes room. */
const UNVERIFIED_GOOD_FOR = 300;

/** POST /factors: an authenticator app's key. It counts from its first code on. */
export async function enrollFactor(call: Call, service: AuthService): Promise<Reply> {
  const { factor_type: type, friendly_name: name, issuer } = readBody(call.request, Body);
  const person = await requireUser(call.request, service);
  requireKnownType(type, service);
  await requireRoom(person, service);
  const { user } = person;
  const key = makeTotpKey(
    issuer || new URL(service.config.siteUrl).host,
    user.email || user.phone || user.id,
  );
  const id = randomUUID();
  await service.database
    .query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
       values ($1, $2, $3, 'totp', 'unverified', now(), now(), $4)`,
      [id, user.id, name, seal(key.secret, id, service.secret)],
    )
    .catch((cause) => {
      if (!(cause instanceof DatabaseError) || cause.code !== "23505") throw cause;
      const message = `A factor with the friendly name "${name}" for this user already exists`;
      throw new AuthError(422, "mfa_factor_name_conflict", message);
    });
  return { status: 200, body: { id, type, friendly_name: name, totp: key } };
}

function requireKnownType(type: string, { config }: AuthService): void {
  if (type === "phone") {
    throw new AuthError(422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone");
  }
  if (type === "webauthn") {
    throw new AuthError(422, "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn");
  }
  if (type !== "totp") throw validationFailed("factor_type needs to be totp, phone, or webauthn");
  if (!config.totpEnabled) {
    throw new AuthError(422, "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP");
  }
}

async function requireRoom({ user, session }: SignedIn, { config, database }: AuthService): Promise<void> {
  await database.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
       and created_at < now() - make_interval(secs => $2)`,
    [user.id, String(UNVERIFIED_GOOD_FOR)],
  );
  const [count] = await database.query(
    "select count(*) as all, count(*) filter (where status = 'verified') as verified from auth.mfa_factors where user_id = $1",
    [user.id],
  );
  if (Number(count?.all) >= config.maxFactors) {
    const message = "Maximum number of verified factors reached, unenroll to continue";
    throw new AuthError(422, "too_many_enrolled_mfa_factors", message);
  }
  if (Number(count?.verified) > 0 && session.aal === "aal1") {
    throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
  }
}
