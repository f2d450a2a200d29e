import type { Query, Row } from "#backend/postgres/database.ts";
import { recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Client } from "../requests/call.ts";
import { isUuid } from "../requests/uuid.ts";
import type { OwnFactor } from "./require-factor.ts";

const UNKNOWN_ADDRESS = "0.0.0.0";

/** What a type keeps with a challenge: a hash of its code, or what a key is to sign. */
export type ChallengeRow = Row & { id: string };

export type NewChallenge = { id: string; codeHash?: string; ceremony?: unknown };

export async function insertChallenge(
  { database }: AuthService,
  { factor, actor }: OwnFactor,
  { id, codeHash, ceremony }: NewChallenge,
  { address }: Client,
): Promise<void> {
  const traits = { factor_id: factor.id, factor_status: factor.status };
  const [text, values] = recorded(
    { action: "challenge_created", actor, traits },
    "update auth.mfa_factors set last_challenged_at = clock_timestamp(), updated_at = now() where id = $1",
    [factor.id],
  );
  await database.batch([
    { text, values },
    {
      text: `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
        values ($1, $2, now(), $3, $4, $5)`,
      values: [
        id,
        factor.id,
        address ?? UNKNOWN_ADDRESS,
        codeHash ?? null,
        ceremony === undefined ? null : JSON.stringify(ceremony),
      ],
    },
  ]);
}

const seen = `*, host(ip_address) as address, created_at > now() - make_interval(secs => $3) as fresh`;
const open = "id = $1 and factor_id = $2 and verified_at is null";

/** Locked until the transaction ends: it may be tried until it is answered. @throws AuthError 422 */
export async function lockChallenge(
  query: Query,
  id: string,
  factorId: string,
  client: Client,
  service: AuthService,
): Promise<ChallengeRow> {
  return judge(
    id,
    client,
    await find(
      query,
      `select ${seen} from auth.mfa_challenges where ${open} for update`,
      id,
      factorId,
      service,
    ),
  );
}

/** Spent, whatever comes of it; to be run outside a transaction, which a refusal would roll back. @throws AuthError 422 */
export async function takeChallenge(
  query: Query,
  id: string,
  factorId: string,
  client: Client,
  service: AuthService,
): Promise<ChallengeRow> {
  return judge(
    id,
    client,
    await find(
      query,
      `delete from auth.mfa_challenges where ${open} returning ${seen}`,
      id,
      factorId,
      service,
    ),
  );
}

async function find(
  query: Query,
  text: string,
  id: string,
  factorId: string,
  { config }: AuthService,
): Promise<Row | undefined> {
  return isUuid(id) ? (await query(text, [id, factorId, String(config.challengeExpiry)]))[0] : undefined;
}

function judge(id: string, client: Client, challenge: Row | undefined): ChallengeRow {
  if (!challenge) {
    throw new AuthError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found");
  }
  if (challenge.fresh !== "t") {
    const message = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`;
    throw new AuthError(422, "mfa_challenge_expired", message);
  }
  const here = client.address ?? UNKNOWN_ADDRESS;
  if (challenge.address !== here && challenge.address !== UNKNOWN_ADDRESS) {
    throw new AuthError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
  }
  return challenge as ChallengeRow;
}
