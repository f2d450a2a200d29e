import { useState } from "react";
import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { QuotedMessage } from "./quoted-message.tsx";

type DeletionPanelProps = { room: Room; message: ChatMessage; isOwn: boolean; onClose(): void };

/** Deleting is seen by everyone and cannot be taken back, so it is asked once more. */
export function DeletionPanel({ room, message, isOwn, onClose }: DeletionPanelProps) {
  const [isBusy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    const failure = await room.remove(message.id);
    onClose();
    if (failure) {
      const { sentence } = failure;
      return showToast({ title: "Failed to delete message", description: sentence, variant: "destructive" });
    }
    const description = isOwn ? "Your message has been removed" : "The message has been removed";
    showToast({ title: "Message Deleted", description });
  }

  return (
    <div className="grid gap-5">
      <QuotedMessage message={message} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" disabled={isBusy} onClick={remove}>
          Delete
        </Button>
      </div>
    </div>
  );
}
