import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** Ways in which a dishonest page or authenticator can deviate. */
export type Misconduct = Partial<{
  origin: string;
  rpId: string;
  challenge: string;
  counter: number;
  userHandle: string;
  verifiesPerson: boolean;
}>;

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } };

/** One credential, created and used as a browser with an authenticator would, except for the misconduct requested. */
export type SoftwareAuthenticator = {
  credentialId: string;
  create(options: Options, misconduct?: Misconduct): Record<string, unknown>;
  get(options: Options, misconduct?: Misconduct): Record<string, unknown>;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

export function createAuthenticator(origin: string, idBytes = 16): SoftwareAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(idBytes);
  const credentialId = id.toString("base64url");
  let handle: string | undefined;
  let counter = 0;

  function dataOf(flags: number, rpId: string, { counter: said, verifiesPerson = true }: Misconduct): Buffer {
    counter = said ?? counter + 1;
    const head = Buffer.alloc(37);
    createHash("sha256").update(rpId).digest().copy(head);
    head.writeUInt8(flags | PRESENT | (verifiesPerson ? VERIFIED : 0), 32);
    head.writeUInt32BE(counter, 33);
    return head;
  }

  function clientData(type: string, options: Options, misconduct: Misconduct): Buffer {
    const challenge = misconduct.challenge ?? options.challenge;
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: misconduct.origin ?? origin, crossOrigin: false }),
    );
  }

  const answer = (response: object) => ({
    id: credentialId,
    rawId: credentialId,
    type: "public-key",
    clientExtensionResults: {},
    response,
  });

  return {
    credentialId,
    create(options, misconduct = {}) {
      handle = options.user?.id;
      const length = Buffer.from([id.length >> 8, id.length & 0xff]);
      const authData = Buffer.concat([
        dataOf(HAS_KEY, misconduct.rpId ?? options.rp?.id ?? "", misconduct),
        Buffer.alloc(16),
        length,
        id,
        coseOf(publicKey),
      ]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]);
      return answer({
        clientDataJSON: clientData("webauthn.create", options, misconduct).toString("base64url"),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url"),
        transports: ["internal"],
      });
    },
    get(options, misconduct = {}) {
      const authData = dataOf(0, misconduct.rpId ?? options.rpId ?? "", misconduct);
      const client = clientData("webauthn.get", options, misconduct);
      const signed = Buffer.concat([authData, createHash("sha256").update(client).digest()]);
      return answer({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
        userHandle: misconduct.userHandle ?? handle,
      });
    },
  };
}

/** ES256 (RFC 9053): key type EC2, algorithm -7, curve P-256, and the point. */
function coseOf(key: KeyObject): Uint8Array {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, "base64url"))],
    [-3, new Uint8Array(Buffer.from(y, "base64url"))],
  ]);
  return isoCBOR.encode(cose as never);
}
