import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import * as v from "valibot";
import { StartError } from "../configuration/start-error.ts";
import { writeSecret } from "./write-secret.ts";

const NAME = "signing-keys.json";

/**
 * A key is published before it signs and after: `key_ops` marks the one that signs. `since` (seconds since 1970) is the
 * first start of the site with the key in its current role; until then, the key is `pending`.
 */
type KeptKey = JWK & v.InferOutput<typeof KeptKey>;

const KeptKey = v.looseObject({
  kty: v.literal("EC"),
  kid: v.string(),
  key_ops: v.array(v.picklist(["sign", "verify"])),
  since: v.number(),
  pending: v.optional(v.literal(true)),
  retired: v.optional(v.literal(true)),
  d: v.string(),
});
const KeptKeys = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    keys: v.pipe(
      v.array(KeptKey),
      v.someItem(({ key_ops }) => key_ops.includes("sign")),
    ),
  }),
);

/** Clients and the caches in between may keep the published keys for ten minutes each. */
const PUBLISHED_BEFORE_SIGNING = 20 * 60;

/** The keys for access tokens: the signing key, the next one, and earlier ones while their tokens are valid. */
export async function loadSigningKeys(dataDir: string): Promise<JWK[]> {
  const kept = readKept(dataDir) ?? (await makeFirst(dataDir));
  return kept.map(({ since: _, pending: __, retired: ___, ...key }) => key);
}

/** Notes that a site has started with these loaded keys, which it publishes and signs with; not with later ones. */
export function startSigningKeys(dataDir: string, loaded: readonly JWK[]): void {
  const kept = readKept(dataDir) ?? [];
  const isInUse = ({ kid, key_ops: [role] }: KeptKey) =>
    loaded.some((key) => key.kid === kid && key.key_ops?.[0] === role);
  if (!kept.some((key) => key.pending && isInUse(key))) return;
  keep(
    dataDir,
    kept.map((key) => (key.pending && isInUse(key) ? { ...key, since: now(), pending: undefined } : key)),
  );
}

/** `notBefore` is null if the time counts from the next start of the site. */
export type Rotation = { signs: string } | { notBefore: Date | null };

/**
 * Makes the next key the signing key from the next start on, publishes a new one behind it, and drops those whose last
 * tokens have expired. Does nothing while the next key may not have reached all clients yet, or no site has started
 * since the last rotation.
 */
export async function rotateSigningKeys(dataDir: string, tokenLifetime: number): Promise<Rotation> {
  await loadSigningKeys(dataDir);
  const kept = readKept(dataDir) ?? [];
  if (kept.some(({ pending }) => pending)) return { notBefore: null };
  const next = kept.find((key) => !key.retired && key.key_ops[0] === "verify");
  if (!next) throw new Error("the key set has no next key");
  const ready = next.since + PUBLISHED_BEFORE_SIGNING;
  if (now() < ready) return { notBefore: new Date(ready * 1000) };
  const stillNeeded = kept.filter((key) => !key.retired || key.since + tokenLifetime > now());
  keep(dataDir, [
    { ...next, key_ops: ["sign"], since: now(), pending: true },
    await makeKey("verify"),
    ...stillNeeded.filter((key) => key !== next).map(retire),
  ]);
  return { signs: next.kid };
}

function retire(key: KeptKey): KeptKey {
  return key.retired ? key : { ...key, key_ops: ["verify"], retired: true, since: now(), pending: true };
}

async function makeKey(operation: "sign" | "verify"): Promise<KeptKey> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return {
    ...jwk,
    kty: "EC",
    d: jwk.d ?? "",
    kid: randomUUID(),
    alg: "ES256",
    use: "sig",
    key_ops: [operation],
    since: now(),
    pending: true,
  };
}

/** If another process creates the keys at the same moment, both use those that were written first. */
async function makeFirst(dataDir: string): Promise<KeptKey[]> {
  const keys = [await makeKey("sign"), await makeKey("verify")];
  writeSecret(dataDir, NAME, toText(keys), { replace: false });
  return readKept(dataDir) ?? keys;
}

function readKept(dataDir: string): KeptKey[] | null {
  const file = join(dataDir, NAME);
  if (!existsSync(file)) return null;
  const { success, output } = v.safeParse(KeptKeys, readFileSync(file, "utf8"));
  if (success) return output.keys as KeptKey[];
  throw new StartError(
    `${file} is broken: bring it back from a backup, or remove it, which makes new keys; everybody's page asks for a new token then.`,
  );
}

function keep(dataDir: string, keys: KeptKey[]): void {
  writeSecret(dataDir, NAME, toText(keys), { replace: true });
}

function toText(keys: KeptKey[]): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
