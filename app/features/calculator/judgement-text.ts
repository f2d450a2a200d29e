import { formatNumber } from "#domain/value-text.ts";
import type { Judgement, Verdict } from "#domain/verdict.ts";

/** How a verdict looks: good or bad news for "you", neither, or nothing to judge. */
export type JudgementTone = "gain" | "loss" | "even" | "none";

const TONES: Record<Verdict, JudgementTone> = {
  "Fair Trade": "even",
  "Slightly Uneven": "even",
  "You're Overpaying": "loss",
  "You're Winning": "gain",
};

export type JudgementText = { title: string; detail: string; tone: JudgementTone };

/** A judgement in words: the verdict as specified, or what keeps it from being given (decision 9). */
export function describeJudgement(judgement: Judgement): JudgementText {
  if (judgement.kind === "empty") {
    return { title: "What's the trade?", detail: "Add items to both sides to weigh them.", tone: "none" };
  }
  if (judgement.kind === "unpriced") return describeUnpriced(judgement.unpriced);
  return {
    title: judgement.verdict,
    detail: describeDifference(judgement.difference, judgement.percentage),
    tone: TONES[judgement.verdict],
  };
}

function describeUnpriced(count: number): JudgementText {
  const items = count === 1 ? "1 item has" : `${count} items have`;
  return {
    title: "Can't be judged yet",
    detail: `${items} no known value. Unpriced is not the same as worthless.`,
    tone: "none",
  };
}

/** `480M to your loss, 75% of your total`; the share is left out where your side is worth nothing. */
function describeDifference(difference: number, percentage: number | null): string {
  if (difference === 0) return "Both sides are worth the same.";
  const amount = `${formatNumber(Math.abs(difference))} to your ${difference > 0 ? "loss" : "gain"}`;
  return percentage === null ? amount : `${amount}, ${percentage}% of your total`;
}

/** How far the scale leans, from -1 (all on their side) over 0 to 1 (all on yours). Level where nothing is judged. */
export function leanOf(judgement: Judgement, yours: number, theirs: number): number {
  return judgement.kind === "judged" && yours + theirs > 0 ? (yours - theirs) / (yours + theirs) : 0;
}
