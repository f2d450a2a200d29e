import type { ShownRating } from "#app/features/community/trader-queries.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { Button } from "#app/ui/button.tsx";

/** The actions on a rating: by the rated trader, and by other signed-in users. */
export type RatingAct = "answer" | "take back" | "report rating" | "report answer";

type RatingActionsProps = { traderId: string; rating: ShownRating; onAct(act: RatingAct): void };

export function RatingActions({ traderId, rating, onAct }: RatingActionsProps) {
  const { session } = useSession();
  if (!session) return null;
  const isAboutMe = session.user.id === traderId;
  const of = <span className="sr-only"> the rating of {rating.rater ?? "a hidden trader"}</span>;
  return (
    <p className="rating-acts">
      {isAboutMe && !rating.answer && (
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => onAct("answer")}>
          Answer{of}
        </Button>
      )}
      {isAboutMe && rating.answer && (
        <Button size="sm" variant="ghost" onClick={() => onAct("take back")}>
          Take back my answer
        </Button>
      )}
      <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => onAct("report rating")}>
        {isAboutMe ? "Dispute" : "Report"}
        {of}
      </Button>
      {!isAboutMe && rating.answer && (
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => onAct("report answer")}>
          Report the answer
        </Button>
      )}
    </p>
  );
}
