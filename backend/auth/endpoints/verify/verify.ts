import * as v from "valibot";
import { AuthError, validationFailed } from "../../auth-error.ts";
import { countGuess, knownNetwork } from "../../limits/account-limits.ts";
import { inExchange, tokenOf } from "../../one-time-codes/one-time-token.ts";
import { bannedError, redeem, TOKEN_TYPES } from "../../one-time-codes/redeem.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import { recordFailure } from "../../requests/record-failure.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { replySession } from "../../sessions/session-answer.ts";
import { startSession } from "../../sessions/start-session.ts";
import { readPhone } from "../../users/address.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { findUser } from "../../users/user-row.ts";

const Body = v.object({ type: text, token: text, token_hash: text, email: text, phone: text });

export const OTHER_MAILBOX_NEXT =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** POST /verify: exchanges a typed code with its address, or the token of a link, for a session. */
export async function verify(call: Call, service: AuthService): Promise<Reply> {
  const { type, token } = await readProof(call, service);
  const outcome = await service.database.transaction(async (query, run) => {
    const redeemed = await redeem(service, query, { type, tokens: token.values, client: call.client });
    if (typeof redeemed === "string") return redeemed;
    const { user, method } = redeemed;
    const known = knownNetwork(user.email ?? user.phone ?? "", call.client.network);
    const started = await startSession(run, user, method, call.client, [
      service.limits.afterSuccess(known, []),
    ]);
    return { ...started, notice: redeemed.notice };
  });
  if (outcome === "expired") {
    const { query } = service.database;
    if (token.address) {
      const [by, address] = token.address;
      recordFailure(service, () => findUser(query, by, address), { client: call.client, by: `${by} code` });
    }
    throw new AuthError(403, "otp_expired", token.refusal);
  }
  if (outcome === "banned") throw bannedError();
  if (outcome === "other-mailbox-next")
    return { status: 200, body: { msg: OTHER_MAILBOX_NEXT, code: "200" } };
  sendNotice(service, outcome.notice);
  return replySession(service, outcome);
}

type Proof = {
  type: string;
  token: { values: string[]; refusal: string; address?: [by: "email" | "phone", address: string] };
};

async function readProof(call: Call, { limits, secret }: AuthService): Promise<Proof> {
  const { type, token, token_hash: hash, email, phone } = readBody(call.request, Body);
  if (type === "") throw validationFailed("Verify requires a verification type");
  if (!Object.hasOwn(TOKEN_TYPES, type)) throw validationFailed("Unsupported verification type");
  if ((token === "") === (hash === "")) {
    throw validationFailed("Verify requires either a token or a token hash");
  }
  await limits.take("verify", call.client.network);
  if (hash !== "") {
    if (email !== "" || phone !== "") {
      throw validationFailed("Only the token_hash and type should be provided");
    }
    return { type, token: { values: [hash], refusal: "Email link is invalid or has expired" } };
  }
  if ((email === "") === (phone === "")) {
    throw validationFailed("Only an email address or phone number should be provided on verify");
  }
  const address = phone === "" ? email.trim().toLowerCase() : readPhone(phone);
  // Over the limit, the mailed link still works.
  await countGuess(limits, address);
  const value = tokenOf(address, token, secret);
  return {
    type,
    token: {
      values: [value, inExchange(value)],
      refusal: "Token has expired or is invalid",
      address: [phone === "" ? "email" : "phone", address],
    },
  };
}
