import type { SmsSender, TextMessage } from "./sms-hook.ts";

/** An operator's account at an SMS provider. */
export type SmsProvider =
  | { name: "twilio"; accountSid: string; authToken: string; sender: string }
  | { name: "messagebird"; accessKey: string; originator: string }
  | { name: "textlocal"; apiKey: string; sender: string }
  | { name: "vonage"; apiKey: string; apiSecret: string; from: string };

/** Texts of the messages; the code replaces `{{ .Code }}`. */
export type SmsTexts = { code: string; factorCode: string };

type Order = {
  origin: string;
  path: string;
  fields: Record<string, string>;
  authorization?: string;
  /** Whether a JSON response says that the message was accepted. */
  isTaken(answer: Record<string, unknown>): boolean;
};

const TIMEOUT_MS = 10_000;

/** Sends each code through the provider's API. `origin` overrides the API's address, for tests. */
export function createSmsProvider(provider: SmsProvider, texts: SmsTexts, origin?: string): SmsSender {
  return {
    async send(message) {
      const order = orderOf(provider, message.phone, writeText(message, texts));
      const response = await fetch(new URL(order.path, origin ?? order.origin), {
        method: "POST",
        headers: {
          accept: "application/json",
          ...(order.authorization && { authorization: order.authorization }),
        },
        body: new URLSearchParams(order.fields),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // The response may contain the number, so it is not repeated.
      const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null;
      if (!response.ok) throw new Error(`${provider.name} answered ${response.status}`);
      if (!answer || !order.isTaken(answer)) throw new Error(`${provider.name} did not take the message`);
    },
  };
}

/** `\n` in a template stands for a line break. */
function writeText(message: TextMessage, texts: SmsTexts): string {
  if ("notice" in message) return message.notice;
  const { code, purpose } = message;
  const template = purpose === "mfa" ? texts.factorCode : texts.code;
  return template.replaceAll("\\n", "\n").replace(/\{\{\s*\.Code\s*\}\}/g, () => code);
}

function orderOf(provider: SmsProvider, phone: string, text: string): Order {
  switch (provider.name) {
    case "twilio":
      return orderTwilio(provider, phone, text);
    case "messagebird":
      return {
        origin: "https://rest.messagebird.com",
        path: "/messages",
        authorization: `AccessKey ${provider.accessKey}`,
        fields: {
          originator: provider.originator,
          body: text,
          recipients: phone,
          type: "sms",
          datacoding: "unicode",
        },
        isTaken: ({ id }) => typeof id === "string",
      };
    case "textlocal":
      return {
        origin: "https://api.textlocal.in",
        path: "/send/",
        fields: { sender: provider.sender, apikey: provider.apiKey, message: text, numbers: phone },
        isTaken: ({ status }) => status === "success",
      };
    case "vonage":
      return {
        origin: "https://rest.nexmo.com",
        path: "/sms/json",
        fields: {
          from: provider.from,
          to: phone,
          text,
          type: "unicode",
          api_key: provider.apiKey,
          api_secret: provider.apiSecret,
        },
        isTaken: ({ messages }) =>
          Array.isArray(messages) && messages.length > 0 && messages.every(({ status }) => status === "0"),
      };
  }
}

/** The sender is a number or the id of a messaging service, which begins with `MG`. */
function orderTwilio(
  { accountSid, authToken, sender }: Extract<SmsProvider, { name: "twilio" }>,
  phone: string,
  text: string,
): Order {
  return {
    origin: "https://api.twilio.com",
    path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`,
    fields: {
      To: `+${phone}`,
      [sender.startsWith("MG") ? "MessagingServiceSid" : "From"]: sender,
      Body: text,
    },
    isTaken: ({ status }) => status !== "failed" && status !== "undelivered",
  };
}
