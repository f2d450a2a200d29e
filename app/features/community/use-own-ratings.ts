import { useEffect, useState } from "react";
import { useFullSession } from "#app/features/session/use-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { listOwnRatings, type ShownRating } from "./trader-queries.ts";

/**
 * Which of these ratings the reader gave. Pages are the same for everyone, so they name nobody who is not listed, not
 * even to themselves.
 */
export function useOwnRatings(ratings: readonly ShownRating[]): (rating: ShownRating) => boolean {
  const site = useSiteConfig();
  const raterId = useFullSession()?.user.id;
  const hidden = ratings.flatMap(({ id, rater }) => (rater === null ? [id] : [])).join();
  const [own, setOwn] = useState<{ raterId: string; ids: string[] } | null>(null);
  useEffect(() => {
    if (!raterId || !hidden) return;
    let isAsked = true;
    // Loaded here, since hardly any page needs it.
    import("#app/features/session/open-session.ts")
      .then(async ({ openSession }) => listOwnRatings(await openSession(site), raterId, hidden.split(",")))
      .then((ids) => isAsked && setOwn({ raterId, ids }))
      .catch(() => undefined);
    return () => {
      isAsked = false;
    };
  }, [site, raterId, hidden]);
  return ({ id }) => own !== null && own.raterId === raterId && own.ids.includes(id);
}
