import { AgeDialog } from "#app/features/age/age-dialog.tsx";
import { currentSession } from "#app/features/session/session-store.ts";
import { useOwnRead } from "#app/features/session/use-own-read.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { LIMITS } from "#domain/text/limits.ts";
import type { RatedTrader, RatingDraft } from "./rating-draft.ts";
import { RatingForm } from "./rating-form.tsx";
import { findOwnRating, type OwnRating } from "./trader-queries.ts";

type RateDialogProps = {
  /** The trader to rate; null while the dialog is closed. */
  trader: RatedTrader | null;
  onClose: () => void;
  onRated: () => void;
};

/** 'Rate Trader' (2.community.06): 1 to 5 stars and an optional comment; an earlier rating is prefilled (P14). */
export function RateDialog({ trader, onClose, onRated }: RateDialogProps) {
  const title = trader ? `Rate ${trader.username}` : "Rate Trader";
  return (
    <>
      <Dialog open={trader !== null} onClose={onClose} title={title}>
        {trader && <Rating key={trader.id} trader={trader} onClose={onClose} onRated={onRated} />}
      </Dialog>
      <AgeDialog />
    </>
  );
}

/** Unsent drafts by trader, so that a session that ends in between loses no words. */
const drafts = new Map<string, RatingDraft>();

function Rating({ trader, onClose, onRated }: RateDialogProps & { trader: RatedTrader }) {
  const [read] = useOwnRead((client) =>
    findOwnRating(client, currentSession().session?.user.id ?? "", trader.id),
  );
  if (read === "reading") return <Skeleton className="h-64" />;
  const earlier = read === "failed" ? null : read;
  return (
    <RatingForm
      trader={trader}
      earlier={earlier}
      draft={drafts.get(trader.id) ?? draftOf(earlier)}
      onKeep={(draft) => drafts.set(trader.id, draft)}
      onClose={onClose}
      onDone={() => {
        drafts.delete(trader.id);
        onClose();
        onRated();
      }}
    />
  );
}

function draftOf(earlier: OwnRating | null): RatingDraft {
  return { stars: earlier?.rating ?? LIMITS.rating.stars.initial, comment: earlier?.comment ?? "" };
}
