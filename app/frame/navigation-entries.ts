type Entry = { label: string; path: string; sign: string };

/** In this order on every page (clause 2.nav.01); `sign` is the class of its icon (site-frame.css). */
export const NAVIGATION: readonly Entry[] = [
  { label: "Home", path: "/", sign: "sign-home" },
  { label: "Values", path: "/values", sign: "sign-values" },
  { label: "Calculator", path: "/calculator", sign: "sign-calculator" },
  { label: "History", path: "/history", sign: "sign-history" },
  { label: "Community", path: "/community", sign: "sign-community" },
  { label: "Chat", path: "/chat", sign: "sign-chat" },
];

/** What a phone's bottom bar holds beside You; the sheet behind You holds the rest. */
const IN_BAR = ["/values", "/calculator", "/community", "/chat"];

export const BAR_ENTRIES = NAVIGATION.filter(({ path }) => IN_BAR.includes(path));
export const SHEET_ENTRIES = NAVIGATION.filter(({ path }) => !IN_BAR.includes(path));
