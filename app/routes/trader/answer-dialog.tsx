import { type RefObject, useRef, useState } from "react";
import * as v from "valibot";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import type { ShownRating } from "#app/features/community/trader-queries.ts";
import { WordHelp } from "#app/features/known-words/word-help.tsx";
import { needsAge } from "#app/features/session/ask-for-age.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
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

/** Asks the rated trader for a public answer, shown below the rating, one per rating; or whether to take it back. */
export function AnswerDialog({ rating, onClose, onAnswered }: AnswerDialogProps) {
  const title = rating?.answer ? "Take back your answer?" : "Answer this rating";
  const unanswered = useRef<Unanswered>({});
  const Shown = rating?.answer ? TakeBackForm : AnswerForm;
  return (
    <Dialog open={rating !== null} onClose={onClose} title={title}>
      {rating && <Shown {...{ rating, onClose, onAnswered, unanswered }} />}
    </Dialog>
  );
}

/** The answer last sent to a rating without a response, by the rating's id: it may be stored. */
type Unanswered = Record<string, string>;

type FormProps = AnswerDialogProps & { rating: ShownRating; unanswered: RefObject<Unanswered> };

function TakeBackForm({ rating, onClose, onAnswered }: FormProps) {
  const { form, button } = useSessionForm({
    send: (client) => answerRating(client, rating.id, ""),
    close: onClose,
    done() {
      showToast({ title: "Answer taken back" });
      onAnswered();
    },
  });
  return (
    <Form {...form} className="grid gap-4">
      <p>Nobody sees it any more, and you can’t answer this rating again.</p>
      <FormActions button={button} label="Take it back" variant="danger" onCancel={onClose} />
    </Form>
  );
}

/** Refusals with a reason for the user, shown at the field; all others are shown as a notice. */
const REFUSALS = new Set(["23514", "PT403", "PT404"]);
const ANSWERED_ALREADY = "PT404";

function AnswerForm({ rating, onClose, onAnswered, unanswered }: FormProps) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const element = useRef<HTMLFormElement>(null);
  const forget = useKeptTexts(element, `answer to ${rating.id} by its trader`);
  const { form, button } = useSessionForm({
    schema: answerSchema,
    invalidTitle: undefined,
    async send(client, { answer }) {
      const { error } = await answerRating(client, rating.id, answer);
      if (error?.code === ANSWERED_ALREADY && unanswered.current[rating.id] === answer)
        return { error: null };
      if (error && isUnanswered(error)) unanswered.current[rating.id] = answer;
      if (error && REFUSALS.has(error.code) && !needsAge(error))
        throw new FormError(error.message, { title: null, fields: ["answer"] });
      return { error };
    },
    close: onClose,
    done() {
      forget();
      showToast({ title: "Answer published" });
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

/** Answers a rating of oneself, once; an empty answer removes it. */
function answerRating(client: SessionClient, ratingId: string, answer: string) {
  return client.rpc("answer_rating", { rating_id: ratingId, answer });
}
