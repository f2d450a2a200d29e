import { useRef } from "react";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextArea } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { appealSchema } from "#domain/moderation/appeal.ts";

type AppealFormProps = {
  /** The key under which the draft is kept. */
  of: string;
  label: string;
  /** Where the answer will appear, as the end of a sentence. */
  where: string;
  send(
    client: SessionClient,
    message: string,
  ): PromiseLike<{ error: { message: string; code: string } | null }>;
  onSent(): unknown;
  onCancel?(): void;
};

/** The database's code for a second appeal: the first one's answer was lost, or it was sent in another tab. */
const APPEALED_ALREADY = "23505";

/** Lets someone appeal a sanction, once. */
export function AppealForm({ of, label, where, send, onSent, onCancel }: AppealFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const forget = useKeptTexts(element, `appeal by the one whose ${of} is`);
  const { form, button } = useSessionForm({
    schema: appealSchema,
    invalidTitle: undefined,
    async send(client, { message }) {
      const { error } = await send(client, message);
      const isRepeated = error?.code === APPEALED_ALREADY;
      return { error: isRepeated ? null : error, isRepeated };
    },
    async done({ isRepeated }) {
      forget();
      const counts = isRepeated ? "The text that was sent first counts. " : "";
      showToast({
        title: isRepeated ? "You appealed already" : "Appeal sent",
        description: `${counts}Another moderator will read it and answer ${where}.`,
      });
      await onSent();
    },
  });
  return (
    <Form {...form} ref={element} className="grid gap-3">
      <TextArea label={label} name="message" required rows={4} hint="You can appeal only once." />
      <div className="flex flex-wrap gap-3">
        <Button {...button} variant="primary">
          Send appeal
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </Form>
  );
}
