import { createHmac, randomUUID } from "node:crypto";
import type { Query } from "#backend/postgres/database.ts";
import { isSameSecret } from "#backend/tokens/same-secret.ts";
import { seal } from "../factors/sealed-secret.ts";
import type { CodeChallenge } from "../one-time-codes/flow-state.ts";
import type { FlowSecrets, ProviderAnswer } from "../provider-protocols/sign-in-at.ts";
import type { AuthService } from "../service/auth-service.ts";

/** A pending sign-in at a provider. */
export type ProviderFlow = {
  /** The provider's name used by clients. */
  provider: string;
  /** The final redirect target, already validated. */
  redirectTo: string;
  /** Null if the client wants its tokens in the URL. */
  challenge: CodeChallenge | null;
  /** The account to link the identity to; null to sign in. */
  linkTo: LinkTarget | null;
};

/** An account that gets another identity, and its session that asked for that. */
export type LinkTarget = { userId: string; sessionId: string };

/**
 * Resolves with the flow's id. The hosted service's table has no column for the session, but one for a code, which a
 * flow has only once its user is known.
 */
export async function beginProviderFlow(query: Query, flow: ProviderFlow): Promise<string> {
  const id = randomUUID();
  await query(
    `insert into auth.flow_state (id, code_challenge_method, code_challenge, provider_type, authentication_method,
       referrer, linking_target_id, auth_code, created_at, updated_at)
     values ($1, $2, $3, $4, 'oauth', $5, $6, $7, now(), now())`,
    [
      id,
      flow.challenge?.method ?? null,
      flow.challenge?.challenge ?? null,
      flow.provider,
      flow.redirectTo,
      flow.linkTo?.userId ?? null,
      flow.linkTo?.sessionId ?? null,
    ],
  );
  return id;
}

/** Takes a flow once: replaying its state finds nothing. Null if it is gone. */
export async function takeProviderFlow(
  query: Query,
  id: string,
  lifetimeSeconds: number,
): Promise<(ProviderFlow & { isFresh: boolean }) | null> {
  const [row] = await query(
    `delete from auth.flow_state where id = $1 and authentication_method = 'oauth' and user_id is null
     returning provider_type, referrer, linking_target_id, auth_code, code_challenge, code_challenge_method,
       created_at > now() - make_interval(secs => $2) as fresh`,
    [id, String(lifetimeSeconds)],
  );
  if (!row) return null;
  const { code_challenge: challenge = null, code_challenge_method: method, linking_target_id: userId } = row;
  return {
    provider: row.provider_type ?? "",
    redirectTo: row.referrer ?? "",
    challenge: challenge === null ? null : { challenge, method: method === "plain" ? "plain" : "s256" },
    linkTo: userId ? { userId, sessionId: row.auth_code ?? "" } : null,
    isFresh: row.fresh === "t",
  };
}

/**
 * Called once the user is authenticated: resolves with the code that the holder of the verifier can exchange within
 * five minutes.
 */
export async function issueProviderCode(
  query: Query,
  userId: string,
  { provider, challenge }: { provider: string; challenge: CodeChallenge },
  { accessToken, refreshToken }: Pick<ProviderAnswer, "accessToken" | "refreshToken">,
  { sealingKeys }: Pick<AuthService, "sealingKeys">,
): Promise<string> {
  const [id, code] = [randomUUID(), randomUUID()];
  const sealed = [accessToken, refreshToken].map((token) => token && seal(token, id, sealingKeys));
  await query(
    `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type,
       authentication_method, provider_access_token, provider_refresh_token, auth_code_issued_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, 'oauth', $7, $8, now(), now(), now())`,
    [id, userId, code, challenge.method, challenge.challenge, provider, ...sealed],
  );
  return code;
}

/**
 * The secrets in a flow's messages to the provider. The state is bound to the browser that started the flow: without
 * its cookie the sign-in cannot be completed, which prevents login CSRF.
 */
export function secretsOf(flowId: string, browser: string, secret: string): FlowSecrets {
  return {
    state: `${flowId}.${derive("state", `${flowId} ${browser}`, secret)}`,
    verifier: derive("verifier", flowId, secret),
    nonce: derive("nonce", flowId, secret),
  };
}

/** The id of the flow that a state belongs to; null if it was not issued to this browser. */
export function flowOf(state: string, browser: string, secret: string): string | null {
  const id = state.slice(0, state.indexOf("."));
  return isSameSecret(state, secretsOf(id, browser, secret).state) ? id : null;
}

function derive(purpose: string, text: string, secret: string): string {
  return createHmac("sha256", secret).update(`provider ${purpose} ${text}`).digest("base64url");
}
