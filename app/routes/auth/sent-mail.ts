/** Which mail is on its way, and to whom. */
export type SentMail = { kind: "confirmation" | "recovery" | "link"; email: string };
