import { type ReactNode, useState } from "react";
import type { ShownRating } from "#app/features/community/trader-queries.ts";
import { useReadAgain } from "#app/features/community/use-read-again.ts";
import { useReportDialog } from "#app/features/reports/use-report-dialog.tsx";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useFullSession } from "#app/features/session/use-session.ts";
import { Button } from "#app/ui/button.tsx";
import type { AnswerDialog } from "./answer-dialog.tsx";

/** The dialogs for the actions on a rating; the page's data is reloaded after an answer. */
export function useRatingActs(): { dialogs: ReactNode; act(act: RatingAct, rating: ShownRating): void } {
  const readAgain = useReadAgain();
  const reports = useReportDialog();
  const [answered, setAnswered] = useState<ShownRating | null>(null);
  const [Loaded, setLoaded] = useState<typeof AnswerDialog | null>(null);

  async function answer(rating: ShownRating) {
    const loaded = await import("./answer-dialog.tsx");
    setLoaded(() => loaded.AnswerDialog);
    setAnswered(rating);
  }

  function act(what: RatingAct, rating: ShownRating): void {
    if (what === "answer") void answer(rating).catch(showFailure);
    else {
      const kind = what === "report rating" ? "rating" : "answer";
      reports.report({
        kind,
        subjectId: rating.id,
        text: kind === "rating" ? rating.comment : rating.answer,
      });
    }
  }

  const dialogs = (
    <>
      {reports.dialog}
      {Loaded && <Loaded rating={answered} onClose={() => setAnswered(null)} onAnswered={readAgain} />}
    </>
  );
  return { dialogs, act };
}

/** The actions on a rating: by the rated trader, and by other signed-in users. */
type RatingAct = "answer" | "report rating" | "report answer";

type RatingActionsProps = { traderId: string; rating: ShownRating; onAct(act: RatingAct): void };

export function RatingActions({ traderId, rating, onAct }: RatingActionsProps) {
  const session = useFullSession();
  if (!session) return null;
  const isAboutMe = session.user.id === traderId;
  const of = <span className="sr-only"> the rating of {rating.rater ?? "a hidden trader"}</span>;
  return (
    <p className="rating-acts">
      {isAboutMe && !rating.answered_at && (
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => onAct("answer")}>
          Answer{of}
        </Button>
      )}
      {isAboutMe && rating.answer && (
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => onAct("answer")}>
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
