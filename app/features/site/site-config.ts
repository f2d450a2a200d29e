/** The captcha that forms show, and its provider's site key. */
export type SiteCaptcha = { maker: "hcaptcha" | "turnstile"; siteKey: string };

/** What the operator configured and the pages show; public, since it reaches the browser. */
export type SiteConfig = {
  siteName: string;
  gameName: string;
  gameCompany: string;
  /** The canonical origin without a trailing slash, such as `https://values.example`. */
  siteUrl: string;
  /** Where the browser's client finds the backend. */
  supabaseUrl: string;
  supabaseAnonKey: string;
  socialXUrl: string;
  socialGithubUrl: string;
  socialDiscordUrl: string;
  /** If absent, /contact has no email section. */
  contactEmail?: string;
  /** If absent, no form has one. */
  captcha?: SiteCaptcha;
  /** `none`: what is typed at /contact never leaves the browser. */
  contactDelivery: "none" | "database" | "email";
  /** Whether browsers may keep copies of public pages for offline use (OFFLINE_COPY). */
  keepsCopies: boolean;
  /** The age below which writing freely requires a parent's permission (P46). */
  ageLimit: number;
  /** Whether users may upload pictures (P47). */
  takesUploads: boolean;
  /** Whether parents can be asked by email (SMTP_URL). */
  asksParents?: true;
  /** Whether applications may act for users (GOTRUE_OAUTH_SERVER_ENABLED). */
  letsApplicationsIn?: true;
};
