import { useId } from "react";
import * as v from "valibot";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import { reportMessage, STORED_ALREADY } from "#app/routes/chat/room/chat-queries.ts";
import { describeFailure } from "#app/routes/chat/room/describe-failure.ts";
import { Button } from "#app/ui/button.tsx";
import { Form, faultProps, useFault } from "#app/ui/form/form.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { useForm } from "#app/ui/form/use-form.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { QuotedMessage } from "./quoted-message.tsx";

import type { Muting } from "./use-mutes.ts";

/** Why a message is reported, in words that a child knows; the admins read the same words. */
const REPORT_REASONS = [
  "Asks for personal things: name, age, school, photos, another app",
  "Mean, hateful or bullying",
  "Not for children",
  "A scam or a trick",
  "Spam",
  "Something else",
] as const;

type ReportPanelProps = { client: SessionClient; mutes: Muting; message: ChatMessage; onClose(): void };

const reportSchema = v.object({
  reason: v.pipe(v.optional(v.string(), ""), v.nonEmpty("Please choose what is wrong")),
  mute: v.optional(v.string()),
});

/** Tells the admins what is wrong with a message (P13), and offers not to see its writer any more. */
export function ReportPanel({ client, mutes, message, onClose }: ReportPanelProps) {
  const { form, button } = useForm({
    schema: reportSchema,
    async send({ reason }) {
      const { error } = await reportMessage(client, message.id, reason);
      const isKnown = error?.code === STORED_ALREADY;
      if (error && !isKnown) throw new FormError(describeFailure(error, Date.now()).sentence);
      return isKnown;
    },
    async done(isKnown, { mute }) {
      onClose();
      if (mute) await mutes.mute(message.user_id, message.username);
      if (isKnown)
        showToast({ title: "You reported this message already", description: "The admins know of it." });
      else showToast({ title: "Message reported", description: "Thank you. An admin will look at it." });
    },
  });

  return (
    <Form {...form} className="grid gap-4">
      <QuotedMessage message={message} />
      <ReasonChoice />
      <label className="chat-choice">
        <input type="checkbox" name="mute" />
        Mute {message.username} too
      </label>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button {...button} variant="danger">
          Send report
        </Button>
      </div>
    </Form>
  );
}

function ReasonChoice() {
  const noteId = useId();
  const fault = useFault("reason");
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a group of radios may be marked invalid, a plain fieldset may not */}
      <fieldset role="radiogroup" className="grid gap-1" {...faultProps(noteId, fault)}>
        <legend className="mb-1 font-semibold">What is wrong?</legend>
        {REPORT_REASONS.map((reason) => (
          <label key={reason} className="chat-choice">
            <input type="radio" name="reason" value={reason} />
            {reason}
          </label>
        ))}
      </fieldset>
      <p id={noteId} className="field-error text-sm" role="alert">
        {fault}
      </p>
    </>
  );
}
