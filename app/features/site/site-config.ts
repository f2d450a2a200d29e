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
  /** Browsers may keep a copy of the public pages for when there is no connection (OFFLINE_COPY). */
  keepsCopies: boolean;
  /** Who is younger needs a parent's permission to write freely (P46). */
  ageLimit: number;
  /** Whether people may upload pictures of their own (P47). */
  takesUploads: boolean;
  /** A parent can be asked by mail (SMTP_URL). */
  asksParents?: true;
  /** Applications may act for people (GOTRUE_OAUTH_SERVER_ENABLED). */
  letsApplicationsIn?: true;
};
