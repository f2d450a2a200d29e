import type { Query, Row } from "#backend/postgres/database.ts";
import { recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Client } from "../requests/call.ts";
import { isUuid } from "../requests/uuid.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { OwnFactor } from "./require-factor.ts";

const UNKNOWN_ADDRESS = "0.0.0.0";

/** Depending on its type, a factor stores a hash of its code or the WebAuthn challenge here. */
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

const columns = "*, host(ip_address) as address, created_at > now() - make_interval(secs => $3) as fresh";
const isOpen = "id = $1 and factor_id = $2 and verified_at is null";
const statements = {
  /** Locks the challenge until the transaction ends: it can be retried until it is answered correctly. */
  lock: `select ${columns} from auth.mfa_challenges where ${isOpen} for update`,
  /** Spends the challenge, whatever the outcome. Run it outside a transaction, since a refusal would roll it back. */
  take: `delete from auth.mfa_challenges where ${isOpen} returning ${columns}`,
};

/** @throws AuthError 422 */
export async function openChallenge(
  query: Query,
  how: keyof typeof statements,
  { id, factorId }: { id: string; factorId: string },
  { address }: Client,
  { config }: AuthService,
): Promise<ChallengeRow> {
  const values = [id, factorId, String(config.challengeExpiry)];
  const [challenge] = isUuid(id) ? await query(statements[how], values) : [];
  if (!challenge) {
    throw new AuthError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found");
  }
  if (challenge.fresh !== "t") {
    const message = `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`;
    throw new AuthError(422, "mfa_challenge_expired", message);
  }
  if (challenge.address !== (address ?? UNKNOWN_ADDRESS) && challenge.address !== UNKNOWN_ADDRESS) {
    throw new AuthError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
  }
  return challenge as ChallengeRow;
}
