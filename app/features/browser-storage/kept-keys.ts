/**
 * Everything that this site keeps in a browser: by its key, or where that ends with a `:` or a `-` by how its keys begin;
 * in the storage of the browser or, where that is said, of one tab. The privacy page explains each of them, by type; every
 * test in a browser fails on any other.
 */
export const KEPT = {
  theme: { key: "theme" },
  itemView: { key: "itemView" },
  recentItems: { key: "recentItems" },
  /** The official client's own: the session, and what proves that a mailed link belongs to this browser. */
  session: { key: "sb-" },
  /** Random, told to the auth service at a sign-in, so that an account notices another browser; logging out keeps it. */
  browserMark: { key: "browserMark" },
  /** The router's own: how far each page was scrolled, for the way back. */
  scrollPositions: { in: "tab", key: "react-router-scroll-positions" },
  /** The router's own: between which pages it faded, so that the way back fades too. */
  pageFades: { in: "tab", key: "remix-router-transitions" },
  visitorTrade: { key: "visitorTrade:" },
  chatDraft: { in: "tab", key: "chat-draft:" },
  chatUnsent: { in: "tab", key: "chat-unsent:" },
  /** Of longer forms, until they are sent: see use-kept-texts.ts. */
  typedTexts: { in: "tab", key: "typed:" },
  /** The words that people may write to each other, with their version; the same for everybody. */
  knownWords: { key: "knownWords" },
  adminFieldConfig: { key: "adminFieldConfig" },
  adminFolded: { key: "adminFolded:" },
  adminItemDraft: { key: "adminItemDraft:" },
  adminGrid: { key: "adminGrid:" },
} as const satisfies Record<string, { in?: "tab"; key: string }>;

export type KeptName = keyof typeof KEPT;

/** How the names of all caches begin that the offline worker keeps its copies in. */
export const KEPT_CACHES = "fruit-values-";
