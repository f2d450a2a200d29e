import { useRef, useState } from "react";
import * as v from "valibot";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import type { ShownRating } from "#app/features/community/trader-queries.ts";
import { WordHelp } from "#app/features/known-words/word-help.tsx";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { FormError } from "#app/ui/form/form-error.ts";
import { TextArea } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { neededText } from "#domain/text/text-schema.ts";

const { max } = LIMITS.rating.comment;
const answerSchema = v.object({
  answer: neededText(max, "Answer is required", `Answer too long (max ${max} characters)`),
});

type AnswerDialogProps = { rating: ShownRating | null; onClose(): void; onAnswered(): void };

/** Asks the rated trader for a public answer, shown below the rating; one per rating. */
export function AnswerDialog({ rating, onClose, onAnswered }: AnswerDialogProps) {
  return (
    <Dialog open={rating !== null} onClose={onClose} title="Answer this rating">
      {rating && <AnswerForm rating={rating} onClose={onClose} onAnswered={onAnswered} />}
    </Dialog>
  );
}

function AnswerForm({ rating, onClose, onAnswered }: AnswerDialogProps & { rating: ShownRating }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const element = useRef<HTMLFormElement>(null);
  const forget = useKeptTexts(element, `answer ${rating.id}`);
  const { form, button } = useSessionForm({
    schema: answerSchema,
    invalidTitle: undefined,
    send: (client, { answer }) => answerRating(client, rating.id, answer),
    done() {
      forget();
      showToast({ title: "Answer published" });
      onClose();
      onAnswered();
    },
  });
  return (
    <Form {...form} ref={element} className="grid gap-4">
      {rating.comment && <blockquote className="wrap-anywhere">{rating.comment}</blockquote>}
      <div className="relative grid gap-1.5">
        <TextArea
          ref={field}
          label="Answer"
          name="answer"
          required
          rows={3}
          hint="Everybody can read it. You can answer once; no links, addresses or phone numbers."
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <WordHelp field={field} text={text} onChange={setText} />
      </div>
      <FormActions button={button} label="Publish answer" onCancel={onClose} />
    </Form>
  );
}

/** Answers a rating of oneself, once; an empty answer removes it. @throws FormError for the field `answer` */
export async function answerRating(client: SessionClient, ratingId: string, answer: string): Promise<void> {
  const { error } = await client.rpc("answer_rating", { rating_id: ratingId, answer });
  if (error) throw new FormError(error.message, { title: null, fields: ["answer"] });
}
