import { expect, test } from "vitest";
import { readAuthSettings } from "../auth-settings.ts";

const google = {
  GOTRUE_EXTERNAL_GOOGLE_ENABLED: "true",
  GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: "web,android",
  GOTRUE_EXTERNAL_GOOGLE_SECRET: "s",
  GOTRUE_EXTERNAL_GOOGLE_SKIP_NONCE_CHECK: "true",
};
const roblox = {
  GOTRUE_EXTERNAL_ROBLOX_ENABLED: "true",
  GOTRUE_EXTERNAL_ROBLOX_CLIENT_ID: "7",
  GOTRUE_EXTERNAL_ROBLOX_SECRET: "s",
  GOTRUE_EXTERNAL_ROBLOX_URL: "https://apis.roblox.com/oauth/",
  GOTRUE_EXTERNAL_ROBLOX_EMAIL_OPTIONAL: "true",
};

test("providers are enabled by upstream's names, and any other issuer by a custom name", () => {
  const { providers } = readAuthSettings({ ...google, ...roblox, GOTRUE_EXTERNAL_DISCORD_ENABLED: "false" });
  expect(providers).toMatchObject([
    { id: "custom:roblox", name: "Roblox", url: "https://apis.roblox.com/oauth/", emailOptional: true },
    { id: "google", name: "Google", clientIds: ["web", "android"], url: null, skipNonceCheck: true },
  ]);
  expect(readAuthSettings({ GOTRUE_EXTERNAL_EMAIL_ENABLED: "true" }).providers).toBe(undefined);
});

test.each([
  [{ ...google, GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: "" }, "GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID must be set"],
  [{ ...google, GOTRUE_EXTERNAL_GOOGLE_SECRET: "" }, "GOTRUE_EXTERNAL_GOOGLE_SECRET must be set"],
  [
    { ...google, GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: "/x" },
    "GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI must be an address",
  ],
  [{ ...roblox, GOTRUE_EXTERNAL_ROBLOX_URL: "" }, "GOTRUE_EXTERNAL_ROBLOX_URL must be the issuer"],
])("an incomplete provider prevents the start", (environment, rule) => {
  expect(() => readAuthSettings(environment)).toThrow(rule);
});

test("providers added by operators are limited as upstream", () => {
  const { customProviders } = readAuthSettings({ GOTRUE_CUSTOM_OAUTH_MAX_PROVIDERS: "3" });
  expect(customProviders).toEqual({ enabled: true, max: 3, privateAddresses: false });
});
