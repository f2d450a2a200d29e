import type { ProviderSettings } from "#backend/auth/provider-protocols/provider.ts";
import { type AuthTestServer, openAuth } from "./auth-server.ts";
import { openBrowser, type ProviderBrowser } from "./provider-browser.ts";
import { type Counterpart, openCounterpart, type Somebody } from "./provider-counterpart.ts";

export type ProviderId = "discord" | "google" | "apple" | "custom:roblox";
type Settings = Parameters<typeof openAuth>[0];

/** auth/v1 with four providers, all of them one local counterpart. */
export type ProviderServer = AuthTestServer & {
  counterpart: Counterpart;
  /** Makes a new user the next to sign in at the provider. */
  somebody(more?: Partial<Somebody>): Somebody & { email: string };
  browser(): ProviderBrowser;
  /** A new visitor presses the provider's button; returns where the browser is sent. */
  leave(
    provider: ProviderId,
    options?: { flowType?: "pkce" | "implicit"; redirectTo?: string },
  ): Promise<{ client: ReturnType<AuthTestServer["visitor"]>; url: string }>;
  /** Completes a sign-in; returns the client with the session the page received. */
  signIn(provider: ProviderId): Promise<ReturnType<AuthTestServer["visitor"]>>;
};

export const CALLBACK = "http://backend.test/auth/v1/callback";

export async function openProviders(settings: Settings = {}): Promise<ProviderServer> {
  const counterpart = await openCounterpart(CALLBACK);
  const server = await openAuth({
    manualLinking: true,
    mailerAutoconfirm: false,
    uriAllowList: ["https://*.partner.test/**"],
    providers: providersAt(counterpart),
    ...settings,
  });
  let people = 0;
  const opened: ProviderServer = {
    ...server,
    counterpart,
    somebody(more = {}) {
      const sub = `7000${++people}`;
      const person = {
        sub,
        email: `player${sub}@example.org`,
        email_verified: true,
        name: "Real Name",
        ...more,
      };
      counterpart.person = person;
      return person;
    },
    browser: () => openBrowser(server),
    async leave(provider, { flowType = "implicit", redirectTo = "http://site.test/auth" } = {}) {
      const client = server.visitor({ flowType });
      const options = { skipBrowserRedirect: true, redirectTo };
      const { data } = await client.auth.signInWithOAuth({ provider, options });
      return { client, url: data.url as string };
    },
    async signIn(provider) {
      const { client, url } = await opened.leave(provider);
      await client.auth.setSession(tokensIn(await opened.browser().go(url)));
      return client;
    },
    async close() {
      await server.close();
      await counterpart.close();
    },
  };
  return opened;
}

function providersAt({ url, clientId, secret }: Counterpart): ProviderSettings[] {
  const shared = { clientIds: [clientId] as [string], secret, redirectUri: null, url, skipNonceCheck: false };
  return [
    { ...shared, id: "custom:roblox", name: "Roblox", emailOptional: true },
    { ...shared, id: "discord", name: "Discord", emailOptional: false },
    { ...shared, id: "google", name: "Google", emailOptional: false },
    { ...shared, id: "apple", name: "Apple", emailOptional: false },
  ];
}

/** The fields in the fragment of the site's page. */
export function fragmentOf(url: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}

export function tokensIn(url: URL): { access_token: string; refresh_token: string } {
  const { access_token = "", refresh_token = "" } = fragmentOf(url);
  return { access_token, refresh_token };
}
