import {
  hasOwnAddress,
  KNOWN_PROVIDERS,
  knownProviderName,
} from "#backend/auth/provider-protocols/known-providers.ts";
import type { ProviderSettings } from "#backend/auth/provider-protocols/provider.ts";
import { type AuthConfig, defaultAuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, refuse } from "../variables.ts";
import { flag, list, type SettingRows, seconds, text, wholeNumber } from "./setting.ts";

export const providerSettings = {
  providers: readProviders,
  customProviders: readCustomProviders,
  flowStateExpiry: seconds("GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION"),
} satisfies SettingRows;

const SWITCH = /^GOTRUE_EXTERNAL_([A-Z0-9_]+)_ENABLED$/;
/** Names matching `SWITCH` that are not providers. */
const OTHERS = /^(EMAIL|PHONE|ANONYMOUS_USERS|WEB3_.*)$/;

/**
 * Reads `GOTRUE_EXTERNAL_<NAME>_…`, in the order in which they are offered to users: providers unknown by name first,
 * as an operator added them on purpose; null if none is named at all.
 */
function readProviders(environment: Environment): ProviderSettings[] | null {
  const named = Object.keys(environment)
    .map((variable) => SWITCH.exec(variable)?.[1] ?? "EMAIL")
    .filter((name) => !OTHERS.test(name));
  if (named.length === 0) return null;
  const read = named.map((name) => readProvider(environment, name)).filter((provider) => provider !== null);
  const place = ({ id }: ProviderSettings) => KNOWN_PROVIDERS.indexOf(id);
  return read.sort((left, right) => place(left) - place(right) || (left.id < right.id ? -1 : 1));
}

function readProvider(environment: Environment, variable: string): ProviderSettings | null {
  const prefix = `GOTRUE_EXTERNAL_${variable}`;
  const known = variable.toLowerCase();
  const name = knownProviderName(known);
  // All variables are read, so that those of a disabled provider are not reported as unknown.
  const isOn = flag(`${prefix}_ENABLED`)(environment);
  const clientIds = list(`${prefix}_CLIENT_ID`)(environment);
  const secret = text(`${prefix}_SECRET`)(environment);
  const settings = {
    id: name ? known : `custom:${known.replaceAll("_", "-")}`,
    name: name ?? text(`${prefix}_NAME`)(environment) ?? capitalized(known),
    redirectUri: text(`${prefix}_REDIRECT_URI`)(environment),
    url: text(`${prefix}_URL`)(environment),
    skipNonceCheck: flag(`${prefix}_SKIP_NONCE_CHECK`)(environment) ?? false,
    emailOptional: flag(`${prefix}_EMAIL_OPTIONAL`)(environment) ?? false,
  };
  if (!isOn) return null;
  const { url, redirectUri } = settings;
  if (!clientIds?.[0]) return refuse(`${prefix}_CLIENT_ID`, NEEDED);
  if (secret === null) return refuse(`${prefix}_SECRET`, NEEDED);
  if (url === null && !hasOwnAddress(known)) return refuse(`${prefix}_URL`, ISSUER_NEEDED);
  for (const [end, address] of [
    ["URL", url],
    ["REDIRECT_URI", redirectUri],
  ] as const) {
    if (address !== null && !isAddress(address)) return refuse(`${prefix}_${end}`, "must be an address");
  }
  return { ...settings, clientIds: clientIds as [string, ...string[]], secret };
}

const NEEDED = "must be set when the provider is switched on";
const ISSUER_NEEDED = "must be the issuer of this provider, which is not known by name";

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function capitalized(name: string): string {
  return name.replaceAll("_", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function readCustomProviders(environment: Environment): AuthConfig["customProviders"] | null {
  const usual = defaultAuthConfig.customProviders;
  const enabled = flag("GOTRUE_CUSTOM_OAUTH_ENABLED")(environment);
  const max = wholeNumber("GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS", { min: 0, max: 1_000_000 })(environment);
  const privateAddresses = flag("GOTRUE_CUSTOM_OAUTH_PRIVATE_ADDRESSES")(environment);
  if (enabled === null && max === null && privateAddresses === null) return null;
  return {
    enabled: enabled ?? usual.enabled,
    max: max ?? usual.max,
    privateAddresses: privateAddresses ?? usual.privateAddresses,
  };
}
