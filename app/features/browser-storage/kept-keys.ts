/**
 * Everything that this site keeps in a browser: by its key, or by how its keys begin (`prefix`), in the storage of the
 * browser or of one tab. The privacy page explains each of them, by type; every test in a browser fails on any other.
 */
export const KEPT = {
  theme: { in: "browser", key: "theme" },
  itemView: { in: "browser", key: "itemView" },
  /** The official client's own: the session, and what proves that a mailed link belongs to this browser. */
  session: { in: "browser", prefix: "sb-" },
  /** Random, told to the auth service at a sign-in, so that an account notices another browser; logging out keeps it. */
  browserMark: { in: "browser", key: "browserMark" },
  /** The router's own: how far each page was scrolled, for the way back. */
  scrollPositions: { in: "tab", key: "react-router-scroll-positions" },
  /** The router's own: between which pages it faded, so that the way back fades too. */
  pageFades: { in: "tab", key: "remix-router-transitions" },
  visitorTrade: { in: "browser", prefix: "visitorTrade:" },
  chatDraft: { in: "tab", prefix: "chat-draft:" },
  chatUnsent: { in: "tab", prefix: "chat-unsent:" },
  adminFieldConfig: { in: "browser", key: "adminFieldConfig" },
  adminFolded: { in: "browser", prefix: "adminFolded:" },
  adminItemDraft: { in: "browser", prefix: "adminItemDraft:" },
} as const satisfies Record<string, { in: "browser" | "tab" } & ({ key: string } | { prefix: string })>;

export type KeptName = keyof typeof KEPT;
