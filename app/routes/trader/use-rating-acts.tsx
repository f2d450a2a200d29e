import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import type { ShownRating } from "#app/features/community/trader-queries.ts";
import { useReportDialog } from "#app/features/reports/use-report-dialog.tsx";
import { openSession } from "#app/features/session/open-session.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import type { AnswerDialog } from "./answer-dialog.tsx";
import type { RatingAct } from "./rating-actions.tsx";

/** The dialogs for the actions on a rating; the page's data is reloaded after an answer. */
export function useRatingActs(): { dialogs: ReactNode; act(act: RatingAct, rating: ShownRating): void } {
  const site = useSiteConfig();
  const { revalidate } = useRevalidator();
  const reports = useReportDialog();
  const [answered, setAnswered] = useState<ShownRating | null>(null);
  const [Loaded, setLoaded] = useState<typeof AnswerDialog | null>(null);

  async function answer(rating: ShownRating) {
    const loaded = await import("./answer-dialog.tsx");
    setLoaded(() => loaded.AnswerDialog);
    setAnswered(rating);
  }

  async function takeBack({ id }: ShownRating) {
    const { answerRating } = await import("./answer-rating.ts");
    await answerRating(await openSession(site), id, "");
    showToast({ title: "Answer taken back" });
    await revalidate();
  }

  function act(what: RatingAct, rating: ShownRating): void {
    if (what === "answer") void answer(rating).catch(showFailure);
    else if (what === "take back") void takeBack(rating).catch(showFailure);
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
      {Loaded && (
        <Loaded rating={answered} onClose={() => setAnswered(null)} onAnswered={() => void revalidate()} />
      )}
    </>
  );
  return { dialogs, act };
}
