/** A public key whose private key is in an authenticator. */
export type Credential = {
  /** In base64url, as browsers have it. */
  id: string;
  /** COSE (RFC 9052). */
  publicKey: Uint8Array<ArrayBuffer>;
  /** How often it signed; always 0 for synchronized keys. */
  counter: number;
  transports: string[];
};

/** A new one, and what its authenticator says about itself. */
export type NewCredential = Credential & {
  /** The authenticator's model; zeros when it does not say. */
  aaguid: string;
  backupEligible: boolean;
  backedUp: boolean;
  userVerified: boolean;
};
