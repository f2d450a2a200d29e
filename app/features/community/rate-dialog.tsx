import { useEffect, useState } from "react";
import { AgeDialog } from "#app/features/age/age-dialog.tsx";
import { openSession } from "#app/features/session/open-session.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { LIMITS } from "#domain/text/limits.ts";
import type { RatedTrader, RatingDraft } from "./rating-draft.ts";
import { RatingForm } from "./rating-form.tsx";
import { findOwnRating, type OwnRating } from "./trader-queries.ts";

type RateDialogProps = {
  /** Who is to be rated; null while the dialog is closed. */
  trader: RatedTrader | null;
  onClose: () => void;
  onRated: () => void;
};

/** 'Rate Trader' (2.community.06): 1 to 5 stars and an optional comment; an earlier rating is shown (P14). */
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

/** What was written and not sent, by trader: a session that ended in between takes no words along. */
const drafts = new Map<string, RatingDraft>();

function Rating({ trader, onClose, onRated }: RateDialogProps & { trader: RatedTrader }) {
  const earlier = useOwnRating(trader.id);
  if (earlier === undefined) return <Skeleton className="h-64" />;
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

/** The rating that this person gave before; undefined while it is looked for. */
function useOwnRating(traderId: string): OwnRating | null | undefined {
  const site = useSiteConfig();
  const [earlier, setEarlier] = useState<OwnRating | null>();
  useEffect(() => {
    let isCurrent = true;
    const raterId = currentSession().session?.user.id ?? "";
    openSession(site)
      .then((client) => findOwnRating(client, raterId, traderId))
      .catch(() => null)
      .then((found) => isCurrent && setEarlier(found));
    return () => {
      isCurrent = false;
    };
  }, [site, traderId]);
  return earlier;
}
