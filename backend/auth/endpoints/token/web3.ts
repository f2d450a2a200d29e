import * as v from "valibot";
import { AuthError, validationFailed } from "../../auth-error.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { replySession } from "../../sessions/session-answer.ts";
import { startSession } from "../../sessions/start-session.ts";
import { UsedProofError, withAccount } from "../../users/external-account.ts";
import { findMessageFault } from "../../web3/find-message-fault.ts";
import {
  type Chain,
  parseWalletMessage,
  type WalletMessage,
  WalletMessageError,
} from "../../web3/wallet-message.ts";
import { isSignedBy, SIGNATURES } from "../../web3/wallet-signature.ts";

const Body = v.object({ chain: text, message: text, signature: text });

const PROVIDER = "web3";
/** Limits of a message's size in bytes. */
const SHORTEST = 64;
const LONGEST = 20 * 1024;

type Signed = { chain: Chain; message: string; signature: string; validity: number };

/** POST /token?grant_type=web3: signs in with a message for this site signed by a wallet, valid once (EIP-4361). */
export async function signInWithWallet(call: Call, service: AuthService): Promise<Reply> {
  const signed = readSigned(call, service);
  await service.limits.take("web3", call.client.network);
  const message = parse(signed);
  if (!isSignedBy(signed.chain, message.address, signed.message, signed.signature)) {
    return invalidGrant("Signature does not match address in message");
  }
  const fault = findMessageFault(message, { ...signed, config: service.config });
  if (fault !== null) return invalidGrant(fault);
  try {
    return await openAccount(call, service, signed, message);
  } catch (cause) {
    if (cause instanceof UsedProofError) return invalidGrant("Message was used already, sign a new one");
    throw cause;
  }
}

function readSigned({ request }: Call, { config }: AuthService): Signed {
  const { ethereum, solana } = config.web3;
  if (ethereum === null && solana === null) {
    throw new AuthError(422, "web3_provider_disabled", "Web3 provider is disabled");
  }
  const { chain, message, signature } = readBody(request, Body);
  if (chain !== "ethereum" && chain !== "solana") {
    throw new AuthError(400, "web3_unsupported_chain", "Unsupported chain");
  }
  const validity = config.web3[chain];
  if (validity === null) {
    const name = { ethereum: "Ethereum", solana: "Solana" }[chain];
    throw new AuthError(422, "web3_provider_disabled", `${name} Web3 provider is disabled`);
  }
  const size = Buffer.byteLength(message);
  if (size < SHORTEST) throw validationFailed("message is too short");
  if (size > LONGEST) throw validationFailed("message must not exceed 20KB");
  const { form, fault } = SIGNATURES[chain];
  if (!form.test(signature)) throw validationFailed(fault);
  return { chain, message, signature, validity };
}

function parse({ message, chain }: Signed): WalletMessage {
  try {
    return parseWalletMessage(message, chain);
  } catch (cause) {
    throw cause instanceof WalletMessageError ? validationFailed(cause.message) : cause;
  }
}

async function openAccount(
  { client }: Call,
  service: AuthService,
  { chain, message, validity }: Signed,
  { address, chainId, domain, statement, issuedAt }: WalletMessage,
): Promise<Reply> {
  const providerId = [PROVIDER, chain, address].join(":");
  const claims = { address, chain, network: chainId ?? "", domain, statement: statement ?? "" };
  const data = { sub: providerId, custom_claims: claims, email_verified: false, phone_verified: false };
  const identity = {
    identity: { provider: PROVIDER, providerId, data },
    account: {},
    proof: { text: `web3 ${message}`, until: new Date(issuedAt.getTime() + validity * 1000) },
  };
  const started = await withAccount(service, client, identity, (_, run, user) =>
    startSession(run, user, "web3", client, [], PROVIDER),
  );
  return replySession(service, started);
}

/** An OAuth error response (RFC 6749 §5.2), like the hosted service's here. */
function invalidGrant(description: string): Reply {
  return { status: 400, body: { error: "invalid_grant", error_description: description } };
}
