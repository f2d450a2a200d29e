import type { Credential, NewCredential } from "../webauthn/credential.ts";

/**
 * The format in which a hosted project stores it in a factor's row, so that exports are compatible: bytes in base64.
 */
type Stored = {
  id: string;
  publicKey: string;
  transport?: string[] | null;
  authenticator?: { signCount?: number };
};

export function toStored(made: NewCredential) {
  return {
    id: Buffer.from(made.id, "base64url").toString("base64"),
    publicKey: Buffer.from(made.publicKey).toString("base64"),
    attestationType: "none",
    transport: made.transports,
    flags: {
      userPresent: true,
      userVerified: made.userVerified,
      backupEligible: made.backupEligible,
      backupState: made.backedUp,
    },
    authenticator: {
      AAGUID: Buffer.from(made.aaguid.replaceAll("-", ""), "hex").toString("base64"),
      signCount: made.counter,
      cloneWarning: false,
    },
  };
}

export function fromStored(text: string | null | undefined): Credential {
  const stored = JSON.parse(text ?? "{}") as Stored;
  return {
    id: Buffer.from(stored.id, "base64").toString("base64url"),
    publicKey: new Uint8Array(Buffer.from(stored.publicKey, "base64")),
    counter: stored.authenticator?.signCount ?? 0,
    transports: stored.transport ?? [],
  };
}
