import { asText, readEmails } from "./claims.ts";
import type { ProvidedPerson, Provider, ProviderSettings, ReadAsPerson } from "./provider.ts";

/** Built-in providers, by the hosted service's ids. */
type Known = { name: string; describe(settings: ProviderSettings, profiles: boolean): Provider };

function openId(
  name: string,
  issuer: string | null,
  more: Partial<Pick<Provider, "params" | "pkce">> & { scopes?: string[] } = {},
): Known {
  return {
    name,
    describe: (settings, profiles) => ({
      ...settings,
      params: {},
      pkce: true,
      isTrusted: true,
      keptClaims: [],
      mapping: {},
      ...more,
      // Without use for names and pictures, does not request them.
      scopes: more.scopes ?? ["openid", "email", ...(profiles ? ["profile"] : [])],
      protocol: "oidc",
      issuer: settings.url ?? issuer ?? "",
      discoveryUrl: null,
    }),
  };
}

type OAuth2 = {
  scopes: string[];
  /** Endpoints, relative to a host that the operator can override. */
  at(settings: ProviderSettings): { authorize: string; token: string; api: string };
  read(read: ReadAsPerson, api: string, settings: ProviderSettings): Promise<ProvidedPerson>;
};

function oauth2(name: string, { scopes, at, read }: OAuth2): Known {
  return {
    name,
    describe(settings) {
      const { authorize, token, api } = at(settings);
      return {
        ...settings,
        scopes,
        params: {},
        pkce: true,
        isTrusted: true,
        keptClaims: [],
        protocol: "oauth2",
        authorizationUrl: authorize,
        tokenUrl: token,
        readPerson: (readAs) => read(readAs, api, settings),
      };
    },
  };
}

const hostOf = ({ url }: ProviderSettings, usual: string) => url?.replace(/\/+$/, "") ?? `https://${usual}`;

type DiscordUser = Record<"id" | "username" | "global_name" | "avatar" | "email", unknown> & {
  verified?: unknown;
};

const discord = oauth2("Discord", {
  scopes: ["email", "identify"],
  at(settings) {
    const api = `${hostOf(settings, "discord.com")}/api`;
    return { authorize: `${api}/oauth2/authorize`, token: `${api}/oauth2/token`, api };
  },
  async read(read, api) {
    const user = (await read(`${api}/users/@me`)) as DiscordUser;
    const subject = asText(user.id);
    const picture = user.avatar ? `https://cdn.discordapp.com/avatars/${subject}/${user.avatar}.png` : "";
    return {
      subject,
      ...readEmails([{ email: user.email, verified: user.verified }]),
      profile: {
        iss: api,
        name: user.username,
        full_name: user.username,
        picture,
        avatar_url: picture,
        custom_claims: { global_name: user.global_name },
      },
    };
  },
});

type GitHubUser = Record<"id" | "login" | "name" | "avatar_url", unknown>;

const github = oauth2("GitHub", {
  scopes: ["user:email"],
  at(settings) {
    const web = hostOf(settings, "github.com");
    const api = settings.url ? `${web}/api/v3` : "https://api.github.com";
    return { authorize: `${web}/login/oauth/authorize`, token: `${web}/login/oauth/access_token`, api };
  },
  async read(read, api) {
    const user = (await read(`${api}/user`)) as GitHubUser;
    const emails = (await read(`${api}/user/emails`)) as {
      email: unknown;
      verified: unknown;
      primary: unknown;
    }[];
    return {
      subject: asText(user.id),
      ...readEmails(Array.isArray(emails) ? emails : []),
      profile: {
        iss: api,
        name: user.name,
        full_name: user.name,
        preferred_username: user.login,
        user_name: user.login,
        avatar_url: user.avatar_url,
      },
    };
  },
});

type TwitchUser = Record<"id" | "login" | "display_name" | "profile_image_url" | "email", unknown>;

const twitch = oauth2("Twitch", {
  scopes: ["user:read:email"],
  at(settings) {
    const web = `${hostOf(settings, "id.twitch.tv")}/oauth2`;
    return {
      authorize: `${web}/authorize`,
      token: `${web}/token`,
      api: `${hostOf(settings, "api.twitch.tv")}/helix`,
    };
  },
  async read(read, api, { clientIds }) {
    const answer = (await read(`${api}/users`, { "client-id": clientIds[0] })) as { data?: TwitchUser[] };
    const user = answer.data?.[0] ?? ({} as TwitchUser);
    return {
      subject: asText(user.id),
      // Twitch returns only verified addresses.
      ...readEmails([{ email: user.email, verified: true }]),
      profile: {
        iss: api,
        name: user.login,
        full_name: user.display_name,
        picture: user.profile_image_url,
        avatar_url: user.profile_image_url,
      },
    };
  },
});

const KNOWN: Readonly<Record<string, Known>> = {
  discord,
  google: openId("Google", "https://accounts.google.com"),
  twitch,
  apple: openId("Apple", "https://appleid.apple.com", {
    scopes: ["openid", "email", "name"],
    // Apple requires `form_post` if any scope is requested.
    params: { response_mode: "form_post" },
    pkce: false,
  }),
  github,
  gitlab: openId("GitLab", "https://gitlab.com"),
  kakao: openId("Kakao", "https://kauth.kakao.com"),
  keycloak: openId("Keycloak", null),
  linkedin_oidc: openId("LinkedIn", "https://www.linkedin.com/oauth"),
  slack_oidc: openId("Slack", "https://slack.com"),
};

export const KNOWN_PROVIDERS: readonly string[] = Object.keys(KNOWN);

/** The display name; null for a provider that is not built in. */
export function knownProviderName(id: string): string | null {
  return Object.hasOwn(KNOWN, id) ? (KNOWN[id]?.name ?? null) : null;
}

/** Whether a provider works without the operator configuring its issuer. */
export function hasOwnAddress(id: string): boolean {
  return Object.hasOwn(KNOWN, id) && id !== "keycloak";
}

/** A configured provider's protocol and endpoints; one that is not built in speaks OpenID Connect at its issuer. */
export function describeProvider(settings: ProviderSettings, { profiles }: { profiles: boolean }): Provider {
  const known = Object.hasOwn(KNOWN, settings.id) ? KNOWN[settings.id] : undefined;
  return (known ?? openId(settings.name, null)).describe(settings, profiles);
}
