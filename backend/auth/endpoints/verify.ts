import * as v from "valibot";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import { tokenOf } from "../one-time-tokens/one-time-token.ts";
import { bannedError, redeem, TOKEN_TYPES } from "../one-time-tokens/redeem.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { answerSession } from "../sessions/session-answer.ts";
import { startSession } from "../sessions/start-session.ts";
import { readPhone } from "../users/address.ts";

const Body = v.object({ type: text, token: text, token_hash: text, email: text, phone: text });

export const OTHER_MAILBOX_NEXT =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** POST /verify: a typed-in code with its address, or the token of a link, for a session. */
export async function verify(call: Call, service: AuthService): Promise<Reply> {
  const { type, token } = await readProof(call, service);
  const outcome = await service.database.transaction(async (query, run) => {
    const redeemed = await redeem(service, query, { type, token: token.value, client: call.client });
    if (typeof redeemed === "string") return redeemed;
    return startSession(run, redeemed.user, "otp", call.client);
  });
  if (outcome === "expired") throw new AuthError(403, "otp_expired", token.refusal);
  if (outcome === "banned") throw bannedError();
  if (outcome === "other-mailbox-next")
    return { status: 200, body: { msg: OTHER_MAILBOX_NEXT, code: "200" } };
  return { status: 200, body: await answerSession(service, outcome.user, outcome.session) };
}

type Proof = { type: string; token: { value: string; refusal: string } };

async function readProof(call: Call, { limits, secret }: AuthService): Promise<Proof> {
  const { type, token, token_hash: hash, email, phone } = readBody(call.request, Body);
  if (type === "") throw validationFailed("Verify requires a verification type");
  if (!Object.hasOwn(TOKEN_TYPES, type)) throw validationFailed("Unsupported verification type");
  await limits.take("verify", call.client.network);
  if (hash !== "") {
    if (email !== "" || phone !== "") {
      throw validationFailed("Only the token_hash and type should be provided");
    }
    const value = hash.replace(/^pkce_/, "");
    return { type, token: { value, refusal: "Email link is invalid or has expired" } };
  }
  if (token === "") throw validationFailed("Verify requires a token or a token hash");
  if ((email === "") === (phone === "")) {
    throw validationFailed("Only an email address or phone number should be provided on verify");
  }
  const address = phone === "" ? email.trim().toLowerCase() : readPhone(phone);
  // Six digits are soon guessed: so many tries, and the person waits too, or opens the mail's link. Ten in ten minutes
  // from here and there, for a year, would find some as well.
  await limits.take("accountVerify", address);
  await limits.take("accountVerifyDay", address);
  return {
    type,
    token: { value: tokenOf(address, token, secret), refusal: "Token has expired or is invalid" },
  };
}
