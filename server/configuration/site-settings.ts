import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import type { Values } from "./environment.ts";
import { StartError } from "./start-error.ts";

export function readSiteSettings(values: Values, auth: Partial<AuthConfig>) {
  return {
    siteName: values.SITE_NAME,
    gameName: values.GAME_NAME,
    gameCompany: values.GAME_COMPANY,
    siteUrl: values.SITE_URL,
    socialXUrl: values.SOCIAL_X_URL,
    socialGithubUrl: values.SOCIAL_GITHUB_URL,
    socialDiscordUrl: values.SOCIAL_DISCORD_URL,
    contactEmail: values.CONTACT_EMAIL,
    contactDelivery: readContactDelivery(values),
    keepsCopies: values.OFFLINE_COPY === "on",
    /** Users below this age need a parent's permission to write freely. */
    ageLimit: values.AGE_LIMIT,
    /** Whether users may upload their own pictures. */
    takesUploads: values.AVATAR_UPLOADS === "on",
    /** Parents can be asked by mail; for a hosted backend this server cannot know, and assumes yes. */
    ...((values.SMTP_URL || values.SUPABASE_URL) && { asksParents: true as const }),
    ...readCaptcha(values, auth),
  };
}

/** Rejects a captcha that the site's own forms cannot show: nobody could sign in. */
function readCaptcha(
  { CAPTCHA_SITE_KEY: siteKey, SUPABASE_URL: hosted }: Values,
  { captcha }: Partial<AuthConfig>,
): { captcha?: { maker: "hcaptcha" | "turnstile"; siteKey: string } } {
  if (!captcha || hosted) return {};
  if (siteKey) return { captcha: { maker: captcha.maker, siteKey } };
  throw new StartError("GOTRUE_SECURITY_CAPTCHA_ENABLED is true, so CAPTCHA_SITE_KEY must be set as well.");
}

/** Without mail delivery, messages are stored, and the pages promise no more than that. */
function readContactDelivery(values: Values): Values["CONTACT_DELIVERY"] {
  const {
    CONTACT_DELIVERY: delivery,
    CONTACT_EMAIL: address,
    SMTP_URL: smtpUrl,
    SUPABASE_URL: hosted,
  } = values;
  if (delivery !== "email") return delivery;
  if (hosted)
    throw new StartError("CONTACT_DELIVERY is email, which a hosted backend cannot do: set database.");
  if (!address) throw new StartError("CONTACT_DELIVERY is email, so CONTACT_EMAIL must be set as well.");
  return smtpUrl ? "email" : "database";
}
