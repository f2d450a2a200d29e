import { titled } from "../text/words.ts";

/** From least to most wanted; the score is the 1-based position in the list (4.style.05). */
export const DEMANDS = ["low", "medium", "high", "very_high"] as const;
export type Demand = (typeof DEMANDS)[number];

/** Demand is shown out of ten although its scale ends at four (9.calc.01). */
const DEMAND_OUT_OF = 10;

/** The demand whose style a stored word gets; medium if unknown or missing. */
export function demandStyle(word: string | null | undefined): Demand {
  return DEMANDS.find((demand) => demand === word) ?? "medium";
}

/** 1 to 4, or null for an unknown demand. */
export function demandScore(word: string | null | undefined): number | null {
  const place = (DEMANDS as readonly unknown[]).indexOf(word);
  return place < 0 ? null : place + 1;
}

/** The demand of an offer: `score` 0 to 4, and the word for the mean, null if nothing counts. */
export type MeanDemand = { score: number; demand: Demand | null };

/**
 * The mean of the known scores, rounded half up (9.calc.01); unknown demands are left out, and an empty offer is 0
 * (P43).
 */
export function meanDemand(words: Iterable<string | null | undefined>): MeanDemand {
  const scores = [...words].map(demandScore).filter((score) => score !== null);
  if (scores.length === 0) return { score: 0, demand: null };
  const score = Math.round(scores.reduce((sum, each) => sum + each, 0) / scores.length);
  return { score, demand: DEMANDS[score - 1] ?? null };
}

/** `4/10`, as the calculator shows it. */
export function formatDemandScore(mean: MeanDemand): string {
  return `${mean.score}/${DEMAND_OUT_OF}`;
}

/** The word for a mean, such as `Very High`, so that 4/10 does not read as low (P8). */
export function demandWord(mean: MeanDemand): string | null {
  return mean.demand && titled(mean.demand);
}
