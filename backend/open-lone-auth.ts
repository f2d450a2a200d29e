import { createHmac } from "node:crypto";
import { type Auth, createAuth } from "#backend/auth/create-auth.ts";
import { createSmtpMailer, type Mailer } from "#backend/auth/mail/mailer.ts";
import { createSmsHook } from "#backend/auth/phone/sms-hook.ts";
import { connectDatabase } from "#backend/postgres/database.ts";
import { createTokenSigner } from "#backend/tokens/token-signer.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { LoneAuthSettings } from "./configuration/lone-auth-settings.ts";
import type { ServiceSettings } from "./configuration/service-settings.ts";
import { ConfigurationError } from "./configuration/variables.ts";

type Shared = {
  tokens: ServiceSettings["tokens"];
  /** The one that judges rest's tokens. */
  verifier: TokenVerifier;
  log(line: string): void;
};

/** auth/v1 on a connection of its own; its tokens are signed by the secret that rest verifies with. */
export async function openLoneAuth(
  { databaseUrl, config, smtp, smsHook }: LoneAuthSettings,
  { tokens, verifier, log }: Shared,
): Promise<Pick<Auth, "handle" | "close">> {
  if (typeof tokens.secret !== "string") {
    throw new ConfigurationError("GOTRUE_DB_DATABASE_URL needs a shared secret in PGRST_JWT_SECRET.");
  }
  const database = connectDatabase({ url: databaseUrl, applicationName: "auth" });
  const auth = await createAuth({
    siteName: new URL(config.siteUrl).hostname,
    ...config,
    database,
    verifier,
    log,
    signer: await createTokenSigner([], tokens.secret),
    mailer: smtp ? createSmtpMailer(smtp.url, smtp.from) : noMailer,
    sms: smsHook && createSmsHook(smsHook.url, smsHook.secret),
    secret: createHmac("sha256", tokens.secret).update("auth/v1").digest("base64url"),
    requireApiKey: false,
  });
  return {
    handle: auth.handle,
    async close() {
      await auth.close();
      await database.close();
    },
  };
}

const noMailer: Mailer = {
  send: () => Promise.reject(new Error("GOTRUE_SMTP_HOST is not set")),
  close: () => undefined,
};
