import type { Hooks } from "../hooks/create-hooks.ts";

/** Sends text messages. */
export type SmsSender = {
  /** Rejects if the message was not accepted. */
  send(message: TextMessage): Promise<void>;
};

export type TextMessage = {
  user: Record<string, unknown>;
  /** Digits only, starting with the country code. */
  phone: string;
  /** Of who caused it; for the hook only. */
  ipAddress?: string | null;
} & (
  | {
      code: string;
      /** For a second factor's code, whose number may differ from the account's. */
      purpose?: "mfa";
    }
  /** A sentence for the account's owner. */
  | { notice: string }
);

/**
 * Sends each message through the operator's send-SMS hook. A notice, which the hosted service does not have, is sent
 * with `sms_type: "notice"` and no code.
 */
export function createSmsHook(hooks: Hooks): SmsSender {
  return {
    async send(message) {
      const { user, phone, ipAddress } = message;
      const sms =
        "notice" in message
          ? { sms_type: "notice", phone, message: message.notice }
          : { otp: message.code, ...(message.purpose && { sms_type: message.purpose, phone }) };
      await hooks.run("sendSms", { user: { ...user, phone }, sms }, ipAddress);
    },
  };
}
