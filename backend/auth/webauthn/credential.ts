/** A public key whose private half an authenticator keeps. */
export type Credential = {
  /** In base64url, as browsers have it. */
  id: string;
  /** COSE (RFC 9052). */
  publicKey: Uint8Array<ArrayBuffer>;
  /** How often it signed; always 0 for keys that are synchronised. */
  counter: number;
  transports: string[];
};

/** A new one, and what its authenticator told of itself. */
export type NewCredential = Credential & {
  /** The authenticator's make; zeros when it does not tell. */
  aaguid: string;
  backupEligible: boolean;
  backedUp: boolean;
  userVerified: boolean;
};
