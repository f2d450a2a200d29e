import { createHmac, randomUUID } from "node:crypto";

/** Who hands text messages on. */
export type SmsSender = {
  /** Rejects when it could not be handed on. */
  send(message: TextMessage): Promise<void>;
};

export type TextMessage = {
  user: Record<string, unknown>;
  /** Digits only, the country's first. */
  phone: string;
} & (
  | {
      code: string;
      /** A second factor's code, whose number need not be the account's. */
      purpose?: "mfa";
    }
  /** A sentence for the account's owner. */
  | { notice: string }
);

const TIMEOUT_MS = 5_000;

/**
 * Posts each code to the operator's own address, in the shape of the hosted service's send-SMS hook, signed as Standard
 * Webhooks has it. A notice, which the hosted service does not have, comes with `sms_type: "notice"` and no code. `secret` is `v1,whsec_…` with the key in base64.
 */
export function createSmsHook(url: string, secret: string): SmsSender {
  const key = Buffer.from(secret.replace(/^v1,whsec_/, ""), "base64");
  return {
    async send(message) {
      const { user, phone } = message;
      const sms =
        "notice" in message
          ? { sms_type: "notice", phone, message: message.notice }
          : { otp: message.code, ...(message.purpose && { sms_type: message.purpose, phone }) };
      const body = JSON.stringify({ user: { ...user, phone }, sms });
      const id = randomUUID();
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": timestamp,
          "webhook-signature": `v1,${signature}`,
        },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`the SMS hook answered ${response.status}`);
    },
  };
}
