import { type FormEvent, useId, useState } from "react";
import type { ChatMessage } from "#app/features/chat/chat-message.ts";
import { reportMessage, STORED_ALREADY } from "#app/features/chat/chat-queries.ts";
import { REPORT_REASONS } from "#app/features/chat/report-reasons.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { QuotedMessage } from "./quoted-message.tsx";
import { showCallFailure } from "./show-call-failure.ts";
import type { Muting } from "./use-mutes.ts";

type ReportPanelProps = { client: SessionClient; mutes: Muting; message: ChatMessage; onClose(): void };

/** Tells the admins what is wrong with a message (decision 13), and offers not to see its writer any more. */
export function ReportPanel({ client, mutes, message, onClose }: ReportPanelProps) {
  const noteId = useId();
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const reason = form.get("reason");
    if (!reason) return setFault("Please choose what is wrong");
    setBusy(true);
    const { error } = await reportMessage(client, message.id, String(reason));
    setBusy(false);
    if (error && error.code !== STORED_ALREADY) return showCallFailure(error);
    onClose();
    if (form.has("mute")) await mutes.mute(message.user_id, message.username);
    if (error)
      showToast({ title: "You reported this message already", description: "The admins know of it." });
    else showToast({ title: "Message reported", description: "Thank you. An admin will look at it." });
  }

  return (
    <form className="grid gap-4" onSubmit={submit} noValidate>
      <QuotedMessage message={message} />
      <fieldset className="grid gap-1" aria-describedby={noteId}>
        <legend className="mb-1 font-semibold">What is wrong?</legend>
        {REPORT_REASONS.map((reason) => (
          <label key={reason} className="chat-choice">
            <input type="radio" name="reason" value={reason} onChange={() => setFault(null)} />
            {reason}
          </label>
        ))}
      </fieldset>
      <p id={noteId} className="field-error text-sm" role="alert">
        {fault}
      </p>
      <label className="chat-choice">
        <input type="checkbox" name="mute" />
        Mute {message.username} too
      </label>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={isBusy}>
          Send report
        </Button>
      </div>
    </form>
  );
}
