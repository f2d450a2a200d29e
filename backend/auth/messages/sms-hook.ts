import type { Hooks } from "../hooks/create-hooks.ts";

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

/**
 * Gives each message to the operator's send-SMS hook. A notice, which the hosted service does not have, comes with
 * `sms_type: "notice"` and no code.
 */
export function createSmsHook(hooks: Hooks): SmsSender {
  return {
    async send(message) {
      const { user, phone } = message;
      const sms =
        "notice" in message
          ? { sms_type: "notice", phone, message: message.notice }
          : { otp: message.code, ...(message.purpose && { sms_type: message.purpose, phone }) };
      await hooks.run("sendSms", { user: { ...user, phone }, sms });
    },
  };
}
