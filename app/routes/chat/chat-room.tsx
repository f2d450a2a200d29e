import { useCallback, useEffect, useState } from "react";
import type { Failure } from "#app/features/chat/describe-failure.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { showToast } from "#app/ui/toast-store.ts";
import { Announcer } from "./announcer.tsx";
import { ChatDialogs, type OpenDialog } from "./chat-dialogs.tsx";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import { RoomHead } from "./room-head.tsx";
import { SafetyRules } from "./safety-rules.tsx";
import { useDraft } from "./use-draft.ts";
import { useMutes } from "./use-mutes.ts";
import { useRoom } from "./use-room.ts";

/** The chat (2.chat): what is said, who is here, and where one writes. */
export function ChatRoom({ userId }: { userId: string }) {
  const { client, room, view } = useRoom(userId);
  const mutes = useMutes(client, userId, room, view.muted);
  const isAdmin = useSession().isAdmin === true;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [draft, changeDraft] = useDraft(userId);

  // When a message cannot be sent, the code that says so cannot be fetched either.
  useEffect(() => void import("#app/ui/toast-viewport.tsx").catch(() => undefined), []);
  const retry = useCallback((id: string) => void room.retry(id).then(showSendFailure), [room]);
  // What was refused goes back to where it can be changed, before what is being typed there now.
  const revise = useCallback(
    (id: string, message: string) => {
      room.discard(id);
      changeDraft((before) => (before ? `${message}\n${before}` : message));
      document.querySelector<HTMLElement>(".chat-field")?.focus();
    },
    [room, changeDraft],
  );

  return (
    <section className="card chat-room" aria-label="Chat room">
      <RoomHead
        connection={view.connection}
        here={view.here.length}
        muted={mutes.list.length}
        onOpen={setDialog}
      />
      <SafetyRules />
      <MessageList
        {...{ room, view, userId, isAdmin }}
        onOpen={setDialog}
        onRetry={retry}
        onRevise={revise}
      />
      <Composer
        draft={draft}
        onChange={(text) => changeDraft(() => text)}
        onSend={(message) => void room.send(message).then(showSendFailure)}
      />
      <Announcer view={view} userId={userId} />
      <ChatDialogs
        {...{ client, room, mutes, dialog }}
        here={view.here}
        onChange={setDialog}
        onClose={() => setDialog(null)}
      />
    </section>
  );
}

function showSendFailure(failure: Failure | null): void {
  if (!failure) return;
  showToast({ title: "Failed to send message", description: failure.sentence, variant: "destructive" });
}
