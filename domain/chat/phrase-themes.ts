/** The groups of quick talk's phrases, in the order in which they are shown, with their titles. */
export const PHRASE_THEMES = [
  ["ask", "Ask"],
  ["answer", "Answer"],
  ["offer", "Offer"],
  ["hello", "Hello"],
] as const;
