import { type FormEvent, useState } from "react";
import { DateText } from "#app/features/items/date-text.tsx";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-field.tsx";
import { LIMITS, lengthOf } from "#domain/limits.ts";
import { formatStars } from "#domain/rating.ts";
import type { RatedTrader, RatingDraft } from "./rating-draft.ts";
import { StarPicker } from "./star-picker.tsx";
import { submitRating } from "./submit-rating.ts";
import type { OwnRating } from "./trader-queries.ts";

type RatingFormProps = {
  trader: RatedTrader;
  earlier: OwnRating | null;
  draft: RatingDraft;
  /** Keeps what was written while the dialog is closed. */
  onKeep: (draft: RatingDraft) => void;
  onClose: () => void;
  onDone: () => void;
};

const COMMENT_MAX = LIMITS.rating.comment.max;

/** Stars and comment. What is refused stays in the form, with the reason under it. */
export function RatingForm({ trader, earlier, draft: first, onKeep, onClose, onDone }: RatingFormProps) {
  const backend = useSiteConfig();
  const [draft, setDraft] = useState(first);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  function change(part: Partial<RatingDraft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    onKeep(next);
    setProblem(null);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) return;
    const isTooLong = lengthOf(draft.comment.trim()) > COMMENT_MAX;
    if (isTooLong) return setProblem(`Comment too long (max ${COMMENT_MAX} characters)`);
    setBusy(true);
    const answer = await submitRating(backend, trader.id, draft);
    setBusy(false);
    if (answer === "done") onDone();
    else if (answer === "signed out") onClose();
    else setProblem(answer.problem);
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      {earlier && (
        <p className="text-muted">
          You gave {formatStars(earlier.rating)} on <DateText date={earlier.created_at} />. Rating again
          replaces it.
        </p>
      )}
      <StarPicker value={draft.stars} onChange={(stars) => change({ stars })} />
      <TextArea
        label="Comment"
        name="comment"
        limit={COMMENT_MAX}
        error={problem}
        hint="Everybody can read it. No links, addresses or phone numbers."
        value={draft.comment}
        onChange={(event) => change({ comment: event.target.value })}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" aria-disabled={isBusy}>
          {isBusy ? "Sending…" : "Submit Rating"}
        </Button>
      </div>
    </form>
  );
}
