export type Entry = {
  label: string;
  path: string;
  /** The class of its icon (site-frame.css). */
  sign: string;
  /** Shown in a phone's bottom bar, beside You; the sheet behind You holds the others. */
  inBar?: true;
};

/** In this order on every page (clause 2.nav.01). */
export const NAVIGATION: readonly Entry[] = [
  { label: "Home", path: "/", sign: "sign-home" },
  { label: "Values", path: "/values", sign: "sign-values", inBar: true },
  { label: "Calculator", path: "/calculator", sign: "sign-calculator", inBar: true },
  { label: "History", path: "/history", sign: "sign-history" },
  { label: "Community", path: "/community", sign: "sign-community", inBar: true },
  { label: "Chat", path: "/chat", sign: "sign-chat", inBar: true },
];

export const BAR_ENTRIES = NAVIGATION.filter(({ inBar }) => inBar);
export const SHEET_ENTRIES = NAVIGATION.filter(({ inBar }) => !inBar);
