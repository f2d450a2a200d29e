import type { SmsProvider, SmsTexts } from "#backend/auth/messages/sms-providers.ts";
import { type Environment, refuse } from "../variables.ts";
import { choice, text } from "./setting.ts";

export type SmsProviderSettings = {
  /** Null: no text messages are sent through a provider. */
  provider: SmsProvider | null;
  texts: SmsTexts;
  /** A sentence if a provider is named but its account is incomplete. */
  note: string | null;
};

type Fields<Name> = Record<Exclude<keyof Extract<SmsProvider, { name: Name }>, "name">, string>;

const FIELDS: { [Name in SmsProvider["name"]]: Fields<Name> } = {
  twilio: {
    accountSid: "GOTRUE_SMS_TWILIO_ACCOUNT_SID",
    authToken: "GOTRUE_SMS_TWILIO_AUTH_TOKEN",
    sender: "GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID",
  },
  messagebird: {
    accessKey: "GOTRUE_SMS_MESSAGEBIRD_ACCESS_KEY",
    originator: "GOTRUE_SMS_MESSAGEBIRD_ORIGINATOR",
  },
  textlocal: { apiKey: "GOTRUE_SMS_TEXTLOCAL_API_KEY", sender: "GOTRUE_SMS_TEXTLOCAL_SENDER" },
  vonage: {
    apiKey: "GOTRUE_SMS_VONAGE_API_KEY",
    apiSecret: "GOTRUE_SMS_VONAGE_API_SECRET",
    from: "GOTRUE_SMS_VONAGE_FROM",
  },
};

const NAMES = Object.keys(FIELDS) as SmsProvider["name"][];

/** Reads `GOTRUE_SMS_PROVIDER`, its account's variables, and the message templates. */
export function readSmsProvider(environment: Environment): SmsProviderSettings {
  const read = (variable: string) => text(variable)(environment);
  const name = choice("GOTRUE_SMS_PROVIDER", NAMES)(environment);
  const texts = {
    code: readTemplate("GOTRUE_SMS_TEMPLATE", environment),
    factorCode: readTemplate("GOTRUE_MFA_PHONE_TEMPLATE", environment),
  };
  // All are read: another provider's account may be configured as well, which is not a mistake.
  const accounts = NAMES.map(
    (each) => [each, Object.entries(FIELDS[each]).map(([key, variable]) => [key, read(variable)])] as const,
  );
  if (name === null) return { provider: null, texts, note: null };
  const fields = Object.fromEntries(Object.fromEntries(accounts)[name] ?? []);
  const missing = Object.entries(FIELDS[name]).find(([key]) => fields[key] === null);
  if (missing) return { provider: null, texts, note: `${missing[1]} is not set: no text message leaves.` };
  return { provider: { name, ...fields } as SmsProvider, texts, note: null };
}

function readTemplate(variable: string, environment: Environment): string {
  const template = text(variable)(environment) ?? "Your code is {{ .Code }}";
  const others = template.replace(/\{\{\s*\.Code\s*\}\}/g, "");
  if (others === template || others.includes("{{"))
    refuse(variable, "must have {{ .Code }} where the code is to be, and no other field");
  return template;
}
