/** A public key whose private key is in an authenticator. */
export type Credential = {
  /** In base64url, as in browsers. */
  id: string;
  /** COSE (RFC 9052). */
  publicKey: Uint8Array<ArrayBuffer>;
  /** The signature counter; always 0 for synchronized keys. */
  counter: number;
  transports: string[];
};

/** A new credential, with its authenticator's data. */
export type NewCredential = Credential & {
  /** The authenticator's model; all zeros if not disclosed. */
  aaguid: string;
  backupEligible: boolean;
  backedUp: boolean;
  userVerified: boolean;
};
