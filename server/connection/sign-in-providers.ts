import type { ListProviders, SignInProvider } from "#app/features/sign-in/sign-in-provider.ts";

const PATIENCE_MS = 3_000;

/** Names and order for a hosted service, which reports neither. */
const NAMES: Record<string, string> = {
  discord: "Discord",
  google: "Google",
  twitch: "Twitch",
  apple: "Apple",
  github: "GitHub",
  gitlab: "GitLab",
  facebook: "Facebook",
  spotify: "Spotify",
  twitter: "X",
  azure: "Microsoft",
};
const NOT_PROVIDERS = new Set(["email", "phone", "anonymous_users"]);

type Settings = { external?: Record<string, unknown>; external_names?: SignInProvider[] };

/** Reads from the auth service's settings which external providers users may sign in with. */
export function createProviderList(
  fetch: typeof globalThis.fetch,
  { url, anonKey }: { url: string; anonKey: string },
): ListProviders {
  return async () => {
    const answer = await fetch(`${url}/auth/v1/settings`, {
      headers: { apikey: anonKey },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) throw new Error(`the auth service's settings can't be read: ${answer.status}`);
    const { external = {}, external_names: named } = (await answer.json()) as Settings;
    return named ?? toNamed(Object.keys(external).filter((id) => external[id] === true));
  };
}

function toNamed(ids: readonly string[]): SignInProvider[] {
  const known = Object.keys(NAMES);
  const place = (id: string) => (known.includes(id) ? known.indexOf(id) : known.length);
  return ids
    .filter((id) => !NOT_PROVIDERS.has(id))
    .sort((left, right) => place(left) - place(right))
    .map((id) => ({ id, name: NAMES[id] ?? id }));
}
