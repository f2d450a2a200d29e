import type { Judgment, Verdict } from "#domain/trades/verdict.ts";
import { formatNumber } from "#domain/values/value-text.ts";

/** The tone of a verdict: good or bad news for "you", even, or no verdict. */
export type JudgmentTone = "gain" | "loss" | "even" | "none";

const TONES: Record<Verdict, JudgmentTone> = {
  "Fair Trade": "even",
  "Slightly Uneven": "even",
  "You're Overpaying": "loss",
  "You're Winning": "gain",
};

export type JudgmentText = { title: string; detail: string; tone: JudgmentTone };

/** A judgment in words: the verdict, or what prevents one (P9), such as `unknown` items, which are unpriced. */
export function describeJudgment(judgment: Judgment, unknown: readonly string[] = []): JudgmentText {
  if (judgment.kind === "empty") {
    return { title: "What's the trade?", detail: "Add items to both sides to weigh them.", tone: "none" };
  }
  if (judgment.kind === "unpriced") return describeUnpriced(judgment.unpriced, unknown);
  return {
    title: judgment.verdict,
    detail: describeDifference(judgment.difference, judgment.percentage),
    tone: TONES[judgment.verdict],
  };
}

function describeUnpriced(count: number, unknown: readonly string[]): JudgmentText {
  const unpriced = count - unknown.length;
  const items = unpriced === 1 ? "1 item has" : `${unpriced} items have`;
  const sentences = [
    ...(unknown.length > 0 ? [`There's no item called ${listed(unknown)}.`] : []),
    ...(unpriced > 0 ? [`${items} no known value. Unpriced is not the same as worthless.`] : []),
  ];
  return { title: "Can't be judged yet", detail: sentences.join(" "), tone: "none" };
}

/** `A`, `A or B`, `A, B or C`, without duplicates. */
function listed(names: readonly string[]): string {
  const each = [...new Set(names)];
  const last = each.pop() ?? "";
  return each.length > 0 ? `${each.join(", ")} or ${last}` : last;
}

/** For example `You lose 480M, 75% of your total`; without the share if your side is worth nothing. */
function describeDifference(difference: number, percentage: number | null): string {
  if (difference === 0) return "Both sides are worth the same.";
  const amount = `You ${difference > 0 ? "lose" : "gain"} ${formatNumber(Math.abs(difference))}`;
  if (percentage === null) return amount;
  return `${amount}, ${percentage === 0 ? "less than 0.01" : percentage}% of your total`;
}

/** How far the scale leans, from -1 (all on their side) to 1 (all on yours); 0 if there is no verdict. */
export function balanceOf(judgment: Judgment, yours: number, theirs: number): number {
  return judgment.kind === "judged" && yours + theirs > 0 ? (yours - theirs) / (yours + theirs) : 0;
}
