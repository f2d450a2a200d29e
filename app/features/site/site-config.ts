/** The captcha that forms show, and the key by which its maker knows the site. */
export type SiteCaptcha = { maker: "hcaptcha" | "turnstile"; siteKey: string };

/** What the operator configured and the pages show; it is public, it reaches the browser. */
export type SiteConfig = {
  siteName: string;
  gameName: string;
  gameCompany: string;
  /** Canonical origin without a trailing slash, such as `https://values.example`. */
  siteUrl: string;
  /** Where the browser's client finds the backend. */
  supabaseUrl: string;
  supabaseAnonKey: string;
  socialXUrl: string;
  socialGithubUrl: string;
  socialDiscordUrl: string;
  /** Absent: the e-mail channel is left out of /contact. */
  contactEmail?: string;
  /** Absent: no form asks for one. */
  captcha?: SiteCaptcha;
  /** `none`: what is typed at /contact never leaves the browser. */
  contactDelivery: "none" | "database" | "email";
  /** Applications may act for people (GOTRUE_OAUTH_SERVER_ENABLED). */
  letsApplicationsIn?: true;
};
