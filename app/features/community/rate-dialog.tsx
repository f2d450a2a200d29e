import { useRef, useState } from "react";
import * as v from "valibot";
import { AgeDialog } from "#app/features/age/age-dialog.tsx";
import { type Draft, readKeptJson, writeKept } from "#app/features/browser-storage/kept.ts";
import { RetryNotice } from "#app/features/failed-reads/retry-notice.tsx";
import { DateText } from "#app/features/items/date-text.tsx";
import { describeHidden } from "#app/features/known-words/describe-hidden.ts";
import { WordHelp } from "#app/features/known-words/word-help.tsx";
import { openSession } from "#app/features/session/open-session.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { TextArea } from "#app/ui/form/text-field.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { formatStars } from "#domain/people/rating.ts";
import { LIMITS } from "#domain/text/limits.ts";
import { atMost } from "#domain/text/text-schema.ts";
import { Star } from "./stars.tsx";
import type { Known, RatedTrader, RatingDraft } from "./submit-rating.ts";
import { submitRating } from "./submit-rating.ts";
import { deleteRating, type OwnRating, readOwnRating } from "./trader-queries.ts";

type RateDialogProps = {
  /** The trader to rate; null while the dialog is closed. */
  trader: RatedTrader | null;
  onClose: () => void;
  onRated: () => void;
};

/** 'Rate Trader' (2.community.06): 1 to 5 stars and an optional comment; an earlier rating is prefilled (P14). */
export function RateDialog({ trader, onClose, onRated }: RateDialogProps) {
  const writerId = useWriter();
  const title = trader ? `Rate ${trader.username}` : "Rate Trader";
  return (
    <>
      <Dialog open={trader !== null} onClose={onClose} title={title}>
        {trader && <Rating key={`${writerId} ${trader.id}`} {...{ writerId, trader, onClose, onRated }} />}
      </Dialog>
      <AgeDialog />
    </>
  );
}

/** Who writes: the session may end while the form is open, which keeps the text unless somebody else logs in. */
function useWriter(): string {
  const userId = useSession().session?.user.id;
  const [last, setLast] = useState(userId ?? "");
  if (userId && userId !== last) setLast(userId);
  return last;
}

const CHOICES = [1, 2, 3, 4, 5];
const draftSchema = v.object({ stars: v.picklist(CHOICES), comment: v.string() });

/** An unsent rating, so that neither a session that ends in between nor a reload loses words. */
function readDraft(of: Draft): RatingDraft | null {
  const kept = readKeptJson("typedTexts", of);
  return v.is(draftSchema, kept) ? kept : null;
}

type RatingProps = RateDialogProps & { trader: RatedTrader; writerId: string };

function Rating({ writerId, trader, onClose, onRated }: RatingProps) {
  const of: Draft = `rating of ${trader.id} by ${writerId}`;
  const [earlier, readAgain] = useOwnRead(
    async (client) => (await readOwnRating(client, writerId, trader.id).throwOnError()).data,
  );
  if (earlier === "reading") return <Skeleton className="h-64" />;
  // An empty form would replace an earlier rating unseen.
  if (earlier === "failed")
    return <RetryNotice onRetry={readAgain}>Your rating can’t be loaded right now.</RetryNotice>;
  return (
    <RatingForm
      writerId={writerId}
      trader={trader}
      earlier={earlier}
      draft={readDraft(of) ?? draftOf(earlier)}
      onKeep={(draft) => writeKept("typedTexts", JSON.stringify(draft), of)}
      onClose={onClose}
      onDone={(sent) => {
        if (isSame(readDraft(of), sent)) writeKept("typedTexts", null, of);
        onRated();
      }}
    />
  );
}

/** Whether nothing else was typed since this was sent. */
function isSame(draft: RatingDraft | null, sent: RatingDraft): boolean {
  return draft?.stars === sent.stars && draft.comment.trim() === sent.comment.trim();
}

function draftOf(earlier: OwnRating | null): RatingDraft {
  return { stars: earlier?.rating ?? LIMITS.rating.stars.initial, comment: earlier?.comment ?? "" };
}

type RatingFormProps = {
  writerId: string;
  trader: RatedTrader;
  earlier: OwnRating | null;
  draft: RatingDraft;
  /** Keeps the draft while the dialog is closed. */
  onKeep: (draft: RatingDraft) => void;
  onClose: () => void;
  /** Called with what was sent. */
  onDone: (sent: RatingDraft) => void;
};

const COMMENT_MAX = LIMITS.rating.comment.max;

const ratingSchema = v.object({
  stars: v.pipe(v.string(), v.transform(Number)),
  comment: v.pipe(
    v.string(),
    v.trim(),
    atMost(COMMENT_MAX, `Comment too long (max ${COMMENT_MAX} characters)`),
  ),
});

/** Stars and comment. A refused rating stays in the form, with the reason below it. */
function RatingForm({ writerId, trader, draft: first, onKeep, onClose, onDone, ...read }: RatingFormProps) {
  const [draft, setDraft] = useState(first);
  const [known, setKnown] = useState<Known>({ earlier: read.earlier, isUnanswered: false });
  const { earlier } = known;
  const comment = useRef<HTMLTextAreaElement>(null);
  const { form, button, isBusy } = useSessionForm({
    schema: ratingSchema,
    invalidTitle: undefined,
    send: (client, input) => submitRating(client, writerId, trader.id, input, known, setKnown),
    close: onClose,
    done(outcome, sent) {
      if (outcome === "signed out") return;
      const hidden = "hidden" in outcome ? outcome.hidden : [];
      const description = hidden.length > 0 ? describeHidden(hidden) : undefined;
      showToast({ title: "Rating submitted successfully", description });
      onDone(sent);
    },
  });

  function change(part: Partial<RatingDraft>) {
    const next = { ...draft, ...part };
    setDraft(next);
    onKeep(next);
  }

  return (
    <Form {...form} className="grid gap-5">
      {earlier && (
        <p className="text-muted">
          You gave {formatStars(earlier.rating)} on <DateText date={earlier.created_at} />. Rating again
          replaces it.
        </p>
      )}
      <StarPicker value={draft.stars} onChange={(stars) => change({ stars })} />
      <div className="relative grid gap-1.5">
        <TextArea
          ref={comment}
          label="Comment"
          name="comment"
          limit={COMMENT_MAX}
          hint="Everyone can read it. No links, addresses or phone numbers."
          value={draft.comment}
          onChange={(event) => change({ comment: event.target.value })}
        />
        <WordHelp field={comment} text={draft.comment} onChange={(text) => change({ comment: text })} />
      </div>
      {earlier && <DeleteRating {...{ writerId, traderId: trader.id, draft, onClose, onDone }} />}
      <FormActions button={button} label={isBusy ? "Sending…" : "Submit Rating"} onCancel={onClose} />
    </Form>
  );
}

type DeleteRatingProps = Pick<RatingFormProps, "writerId" | "draft" | "onClose" | "onDone"> & {
  traderId: string;
};

/** Deletes one's earlier rating; the trader's figures update at once. */
function DeleteRating({ writerId, traderId, draft, onClose, onDone }: DeleteRatingProps) {
  const site = useSiteConfig();
  const [isBusy, setBusy] = useState(false);
  async function remove(pressed: Element) {
    if (isBusy) return;
    setBusy(true);
    try {
      await deleteRating(await openSession(site), writerId, traderId);
      showToast({ title: "Rating deleted" });
      // A late answer closes no other dialog.
      if (pressed.isConnected) onClose();
      onDone(draft);
    } catch (error) {
      showFailure(error as Error);
      setBusy(false);
    }
  }
  return (
    <div>
      <Button variant="danger" aria-disabled={isBusy} onClick={(event) => void remove(event.currentTarget)}>
        Delete my rating
      </Button>
    </div>
  );
}

/** One to five stars as native radios, so that arrow keys and screen readers work (2.community.08). */
function StarPicker({ value, onChange }: { value: number; onChange: (stars: number) => void }) {
  return (
    <fieldset className="star-picker">
      <legend className="field-label">Stars</legend>
      <div>
        {CHOICES.map((stars) => (
          <label key={stars} className={stars <= value ? "star-lit" : undefined}>
            <input
              type="radio"
              name="stars"
              value={stars}
              checked={stars === value}
              aria-label={formatStars(stars)}
              onChange={() => onChange(stars)}
            />
            <Star />
          </label>
        ))}
        <output className="figures">{formatStars(value)}</output>
      </div>
    </fieldset>
  );
}
