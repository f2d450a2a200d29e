import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { useForm } from "#app/ui/form/use-form.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { QuotedMessage } from "./quoted-message.tsx";

type DeletionPanelProps = { room: Room; message: ChatMessage; isOwn: boolean; onClose(): void };

/** Deleting is seen by everyone and cannot be taken back, so it is asked once more. */
export function DeletionPanel({ room, message, isOwn, onClose }: DeletionPanelProps) {
  const { form, button } = useForm({
    async send() {
      const failure = await room.remove(message.id);
      if (failure) throw new FormError(failure.sentence, { title: "Failed to delete message" });
    },
    done() {
      onClose();
      const description = isOwn ? "Your message has been removed" : "The message has been removed";
      showToast({ title: "Message Deleted", description });
    },
    failed: onClose,
  });

  return (
    <Form {...form} className="grid gap-5">
      <QuotedMessage message={message} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Keep it</Button>
        <Button {...button} variant="danger">
          Delete
        </Button>
      </div>
    </Form>
  );
}
