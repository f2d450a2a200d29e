import * as v from "valibot";

type Json = Record<string, unknown>;

const optionalText = v.nullish(v.string(), "");
const Verdict = v.object({ decision: optionalText, message: optionalText });
const Nothing = v.object({});

/** All hooks, with the hosted service's names in payloads and prefixes of variables, and the schema of the response. */
export const HOOKS = {
  sendEmail: { name: "send-email", variable: "GOTRUE_HOOK_SEND_EMAIL", output: Nothing },
  sendSms: { name: "send-sms", variable: "GOTRUE_HOOK_SEND_SMS", output: Nothing },
  accessToken: {
    name: "customize-access-token",
    variable: "GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN",
    output: v.object({ claims: v.record(v.string(), v.unknown()) }),
  },
  passwordAttempt: {
    name: "password-verification",
    variable: "GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT",
    output: v.object({ ...Verdict.entries, should_logout_user: v.nullish(v.boolean(), false) }),
  },
  factorAttempt: {
    name: "mfa-verification",
    variable: "GOTRUE_HOOK_MFA_VERIFICATION_ATTEMPT",
    output: Verdict,
  },
  beforeUserCreated: {
    name: "before-user-created",
    variable: "GOTRUE_HOOK_BEFORE_USER_CREATED",
    output: Verdict,
  },
  afterUserCreated: {
    name: "after-user-created",
    variable: "GOTRUE_HOOK_AFTER_USER_CREATED",
    output: Nothing,
  },
} as const;

export type HookName = keyof typeof HOOKS;
export type HookOutput<Name extends HookName> = v.InferOutput<(typeof HOOKS)[Name]["output"]>;

/** Each hook's input, besides the metadata that all of them get. */
export type HookInputs = {
  sendEmail: { user: Json; email_data: Record<string, string> };
  sendSms: { user: Json; sms: { otp?: string; sms_type?: string; phone?: string; message?: string } };
  accessToken: { user_id: string; claims: Json; authentication_method: string };
  passwordAttempt: { user_id: string; valid: boolean };
  factorAttempt: { user_id: string; factor_id: string; factor_type: string; valid: boolean };
  beforeUserCreated: { user: Json };
  afterUserCreated: { user: Json };
};

/** A hook's target: a database function, by its quoted name, or a URL with the signing keys. */
export type HookAddress = { sqlName: string } | { url: string; keys: readonly string[] };

export const REJECT = "reject";
