import type { ChatMessage } from "#app/routes/chat/room/chat-message.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { useForm } from "#app/ui/form/use-form.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { QuotedMessage } from "./quoted-message.tsx";

type DeletionPanelProps = { room: Room; message: ChatMessage; isOwn: boolean; onClose(): void };

/** Asks for confirmation: everyone sees a deletion, and it cannot be undone. */
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
      <FormActions button={button} label="Delete" variant="danger" onCancel={onClose} cancel="Keep it" />
    </Form>
  );
}
