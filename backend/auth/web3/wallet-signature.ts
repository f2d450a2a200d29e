import { createPublicKey, verify } from "node:crypto";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";
import type { Chain } from "./wallet-message.ts";

/** A signature's format, and the message for a malformed one. */
export const SIGNATURES: Record<Chain, { form: RegExp; fault: string }> = {
  ethereum: {
    form: /^(0x)?[0-9a-f]{130}$/i,
    fault: "signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string",
  },
  solana: {
    form: /^[A-Za-z0-9+/_-]{86}(==)?$/,
    fault: "signature must be 64 bytes encoded as base64 with or without padding",
  },
};

/** Whether the address's wallet signed the text. */
export function isSignedBy(chain: Chain, address: string, text: string, signature: string): boolean {
  try {
    return chain === "ethereum"
      ? ethereumAddressOf(text, signature) === address
      : isSolanaSignature(text, signature, base58.decode(address));
  } catch {
    // Not a point on the curve, or not a key.
    return false;
  }
}

/** The signer's address (EIP-191, `personal_sign`), in lower case. */
function ethereumAddressOf(text: string, signature: string): string {
  const bytes = Buffer.from(signature.replace(/^0x/i, ""), "hex");
  const v = bytes[64] as number;
  const message = Buffer.from(text);
  const signed = Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]);
  const recovery = Buffer.from([v >= 27 ? v - 27 : v]);
  const recovered = Buffer.concat([recovery, bytes.subarray(0, 64)]);
  const key = secp256k1.Signature.fromBytes(recovered, "recovered").recoverPublicKey(keccak_256(signed));
  const point = key.toBytes(false);
  return `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString("hex")}`;
}

function isSolanaSignature(text: string, signature: string, key: Uint8Array): boolean {
  const x = Buffer.from(key).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = Buffer.from(signature, "base64");
  return [Buffer.from(text), ...offChainMessages(text, key)].some((message) =>
    verify(null, message, publicKey, signed),
  );
}

const OFF_CHAIN = Buffer.from("\xffsolana offchain\0", "latin1");
const DOMAIN_BYTES = 32;
const ASCII = 0;
const UTF8 = 1;
/** The length takes two bytes. */
const LONGEST_OFF_CHAIN = 0xffff;

/**
 * What a hardware wallet such as Ledger signs in place of the text: Solana's off-chain message with one signer, for the
 * site's domain or for none.
 */
function offChainMessages(text: string, key: Uint8Array): Buffer[] {
  const message = Buffer.from(text);
  if (message.length > LONGEST_OFF_CHAIN) return [];
  const length = Buffer.alloc(2);
  length.writeUInt16LE(message.length);
  const domain = text.slice(0, text.indexOf(" "));
  return [domain, ""].flatMap((named) => {
    const application = Buffer.alloc(DOMAIN_BYTES);
    application.write(named);
    return [ASCII, UTF8].map((format) =>
      Buffer.concat([OFF_CHAIN, application, Buffer.from([format, 1]), key, length, message]),
    );
  });
}
