import { ReportForm } from "#app/features/reports/report-form.tsx";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import { Choice } from "#app/ui/choice.tsx";
import { QuotedMessage } from "./quoted-message.tsx";
import type { Muting } from "./use-mutes.ts";

type ReportPanelProps = {
  mutes: Muting;
  message: ChatMessage;
  /** Whether the message or its writer's name is reported. */
  kind: "message" | "name";
  onClose(): void;
};

/** Reports a message or a name to the moderators (P13), and offers to mute the writer. */
export function ReportPanel({ mutes, message, kind, onClose }: ReportPanelProps) {
  const { id, user_id, username } = message;
  return (
    <ReportForm
      target={{ kind, subjectId: kind === "message" ? id : user_id }}
      onClose={onClose}
      onSent={async (isMuted) => {
        if (isMuted) await mutes.mute(user_id, username);
      }}
      quote={
        kind === "message" ? <QuotedMessage message={message} /> : <p className="font-semibold">{username}</p>
      }
    >
      <Choice type="checkbox" name="mute">
        Mute {username} too
      </Choice>
    </ReportForm>
  );
}
