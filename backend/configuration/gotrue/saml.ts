import { createPrivateKey } from "node:crypto";
import type { SamlSettings } from "#backend/auth/service/auth-config.ts";
import { type Environment, refuse } from "../variables.ts";
import { flag, type SettingRows, seconds, text } from "./setting.ts";

export const samlSettings = { saml: readSaml } satisfies SettingRows;

function readSaml(environment: Environment): SamlSettings | null {
  const isEnabled = flag("GOTRUE_SAML_ENABLED")(environment);
  const key = text("GOTRUE_SAML_PRIVATE_KEY")(environment);
  const nextKey = text("GOTRUE_SAML_PRIVATE_KEY_NEXT")(environment);
  const externalUrl = text("GOTRUE_SAML_EXTERNAL_URL")(environment);
  const validity = seconds("GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD")(environment);
  const allowEncrypted = flag("GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS")(environment);
  if (!isEnabled) return null;
  if (externalUrl !== null && !/^https?:\/\//.test(externalUrl)) {
    refuse("GOTRUE_SAML_EXTERNAL_URL", "must be an address");
  }
  return {
    privateKey: readKey("GOTRUE_SAML_PRIVATE_KEY", key),
    nextKey: nextKey === null ? null : readKey("GOTRUE_SAML_PRIVATE_KEY_NEXT", nextKey),
    externalUrl: externalUrl?.replace(/\/+$/, "") ?? null,
    relayStateValidity: validity || 120,
    allowEncrypted: allowEncrypted ?? false,
    privateAddresses: false,
  };
}

/** In the hosted service's format: PKCS #1 DER as base64, without PEM's header and footer. */
function readKey(name: string, base64: string | null): string {
  const rule = "must be an RSA key of 2048 bits or more: its PKCS #1 form in base64";
  if (base64 === null) return refuse(name, rule);
  try {
    const key = createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs1" });
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) {
      return key.export({ format: "pem", type: "pkcs8" }).toString();
    }
  } catch {
    // Reported below.
  }
  return refuse(name, rule);
}
