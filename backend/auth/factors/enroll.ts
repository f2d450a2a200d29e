import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { DatabaseError, type Query } from "#backend/postgres/database.ts";
import { type Act, asPerson, recorded } from "../audit/recorded.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { requireUser, type SignedIn } from "../requests/authenticate.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { readPhone } from "../users/address.ts";
import { requireFactorType } from "./factor-type.ts";
import { seal } from "./sealed-secret.ts";
import { makeTotpKey } from "./totp.ts";

const Body = v.object({ factor_type: text, friendly_name: text, issuer: text, phone: text });
type Wish = v.InferOutput<typeof Body>;

/** What a type keeps of its own, and what its owner is told of it. */
type Making = { secret?: string; phone?: string; told: Record<string, unknown> };

/** More would fit neither into a picture to scan nor into a list. */
const MAX_NAME = 100;

const insertFactor = `
  insert into auth.mfa_factors
    (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone)
  values ($1, $2, $3, $4::auth.factor_type, 'unverified', now(), now(), $5, $6)`;

/** POST /factors. A factor counts from the first time on that it was used. */
export async function enrollFactor(call: Call, service: AuthService): Promise<Reply> {
  const wish = readBody(call.request, Body);
  refuseLongNames(wish);
  const person = await requireUser(call.request, service);
  if (person.user.is_anonymous === "t") {
    throw new AuthError(403, "no_authorization", "Anonymous user not allowed to perform these actions");
  }
  const type = requireFactorType(wish.factor_type, service.config, "enroll");
  const id = randomUUID();
  const made: Making =
    type === "totp"
      ? makeTotp(id, wish, person, service)
      : type === "phone"
        ? readNumber(wish)
        : { told: {} };
  await service.database.transaction(async (query) => {
    // One at a time for each person, so that two at once do not pass the limits together.
    await query("select from auth.users where id = $1 for update", [person.user.id]);
    await removeStale(query, person.user.id, service.config.factorExpiry, made.phone ?? null);
    await requireRoom(query, person, service);
    const values = [id, person.user.id, wish.friendly_name, type, made.secret ?? null, made.phone ?? null];
    const actor = asPerson(person.user, call.client);
    const act: Act = { action: "factor_in_progress", actor, traits: { factor_id: id } };
    await query(...recorded(act, insertFactor, values)).catch((cause) =>
      refuseTwin(cause, wish.friendly_name),
    );
  });
  return { status: 200, body: { id, type, friendly_name: wish.friendly_name, ...made.told } };
}

function refuseLongNames({ friendly_name: name, issuer }: Wish): void {
  if (name.length > MAX_NAME || issuer.length > MAX_NAME) {
    throw validationFailed(`friendly_name and issuer may have ${MAX_NAME} characters at most`);
  }
}

function makeTotp(id: string, { issuer }: Wish, { user }: SignedIn, { config, secret }: AuthService): Making {
  const key = makeTotpKey(issuer || new URL(config.siteUrl).host, user.email || user.phone || user.id);
  return { secret: seal(key.secret, id, secret), told: { totp: key } };
}

function readNumber({ phone }: Wish): Making {
  if (phone === "") throw validationFailed("Phone number required to enroll Phone factor");
  return { phone: readPhone(phone), told: { phone } };
}

/** Those that were begun and left, and an earlier try with the same number. */
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

async function requireRoom(
  query: Query,
  { user, session }: SignedIn,
  { config }: AuthService,
): Promise<void> {
  const [count] = await query(
    "select count(*) as all, count(*) filter (where status = 'verified') as verified from auth.mfa_factors where user_id = $1",
    [user.id],
  );
  if (Number(count?.all) >= config.maxFactors || Number(count?.verified) >= config.maxVerifiedFactors) {
    const message = "Maximum number of verified factors reached, unenroll to continue";
    throw new AuthError(422, "too_many_enrolled_mfa_factors", message);
  }
  if (Number(count?.verified) > 0 && session.aal !== "aal2") {
    throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
  }
}

function refuseTwin(cause: unknown, name: string): never {
  if (!(cause instanceof DatabaseError) || cause.code !== "23505") throw cause;
  if (cause.constraint === "unique_phone_factor_per_user") {
    const message = "A verified phone factor already exists, unenroll the existing factor to continue";
    throw new AuthError(422, "mfa_verified_factor_exists", message);
  }
  const message = `A factor with the friendly name "${name}" for this user already exists`;
  throw new AuthError(422, "mfa_factor_name_conflict", message);
}
