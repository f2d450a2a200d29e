import * as v from "valibot";
import { fetchBounded } from "#backend/http/fetch-bounded.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import { logText } from "#backend/log/log-text.ts";
import { AuthError } from "../auth-error.ts";
import type { Captcha } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { Call, Endpoint } from "./call.ts";
import { readBody, text } from "./read-body.ts";
import { isAdmin } from "./require-admin.ts";

const Body = v.object({
  gotrue_meta_security: v.nullish(v.object({ captcha_token: text })),
});

/** Requires the token of a solved captcha if captchas are configured, except from servers. */
export function withCaptcha(endpoint: Endpoint): Endpoint {
  return async (call, service) => {
    const { captcha } = service.config;
    if (captcha && !(await isAdmin(call, service))) await requireToken(call, captcha, service);
    return endpoint(call, service);
  };
}

/** @throws AuthError 400 without a valid token, 500 if it cannot be verified */
async function requireToken(
  { request, client }: Call,
  captcha: Captcha,
  { log }: AuthService,
): Promise<void> {
  const token = readBody(request, Body).gotrue_meta_security?.captcha_token.trim();
  if (!token) throw refused("no captcha_token found");
  const fields = new URLSearchParams({ secret: captcha.secret, response: token });
  if (client.address) fields.set("remoteip", client.address);
  const answer = await verifyToken(captcha, fields).catch((cause) => {
    log(logText`auth: a captcha could not be verified: ${describeCause(cause)}`, "error");
    throw new AuthError(500, "unexpected_failure", "captcha verification process failed");
  });
  if (answer.success !== true) throw refused((answer["error-codes"] ?? []).map(String).join(", "));
}

/** A response usually has a few hundred bytes. */
const MAX_BYTES = 100_000;

type CaptchaAnswer = { success?: unknown; "error-codes"?: unknown[] };

async function verifyToken({ verifyUrl, timeout }: Captcha, body: URLSearchParams): Promise<CaptchaAnswer> {
  const bounds = { maxBytes: MAX_BYTES, signal: AbortSignal.timeout(Math.ceil(timeout * 1000)) };
  return JSON.parse((await fetchBounded(verifyUrl, { method: "POST", body, ...bounds })).text);
}

function refused(why: string): AuthError {
  return new AuthError(400, "captcha_failed", `captcha protection: request disallowed (${why})`);
}
