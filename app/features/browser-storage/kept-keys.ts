/**
 * Everything this site stores in a browser, by key, or by key prefix where it ends with `:` or `-`; in local storage,
 * or in session storage where stated. The privacy page explains each by type, and every browser test fails on any other
 * key.
 */
export const KEPT = {
  theme: { key: "theme" },
  itemView: { key: "itemView" },
  recentItems: { key: "recentItems" },
  /** The official client's own: the session, and the code verifier that ties a mailed link to this browser. */
  session: { key: "sb-" },
  /** A random mark sent at sign-in, by which the auth service notices new browsers; kept on logout. */
  browserMark: { key: "browserMark" },
  /** The router's own: the scroll position of each page, for Back. */
  scrollPositions: { in: "tab", key: "react-router-scroll-positions" },
  /** The router's own: which navigations had a view transition, so that Back has one too. */
  pageFades: { in: "tab", key: "remix-router-transitions" },
  visitorTrade: { key: "visitorTrade:" },
  chatDraft: { in: "tab", key: "chat-draft:" },
  chatUnsent: { in: "tab", key: "chat-unsent:" },
  /** Drafts of longer forms (use-kept-texts.ts, admin/shared/use-kept-edit.ts), and the open cell of the value grid. */
  typedTexts: { in: "tab", key: "typed:" },
  /** The vocabulary people may write with, and its version; the same for everyone. */
  knownWords: { key: "knownWords" },
  adminFieldConfig: { key: "adminFieldConfig" },
  adminFolded: { key: "adminFolded:" },
  adminItemDraft: { key: "adminItemDraft:" },
  adminGrid: { key: "adminGrid:" },
} as const satisfies Record<string, { in?: "tab"; key: string }>;

export type KeptName = keyof typeof KEPT;

/** The prefix of the names of all caches of the offline worker. */
export const KEPT_CACHES = "fruit-values-";
