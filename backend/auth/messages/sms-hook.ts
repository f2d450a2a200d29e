import { createHmac, randomUUID } from "node:crypto";

/** Who hands text messages on. */
export type SmsSender = {
  /** Rejects when it could not be handed on. */
  send(message: TextMessage): Promise<void>;
};

type TextMessage = {
  user: Record<string, unknown>;
  /** Digits only, the country's first. */
  phone: string;
  code: string;
  /** A second factor's code, whose number need not be the account's. */
  purpose?: "mfa";
};

const TIMEOUT_MS = 5_000;

/**
 * Posts each code to the operator's own address, in the shape of the hosted service's send-SMS hook, signed as Standard
 * Webhooks has it. `secret` is `v1,whsec_…` with the key in base64.
 */
export function createSmsHook(url: string, secret: string): SmsSender {
  const key = Buffer.from(secret.replace(/^v1,whsec_/, ""), "base64");
  return {
    async send({ user, phone, code, purpose }) {
      const sms = { otp: code, ...(purpose && { sms_type: purpose, phone }) };
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
