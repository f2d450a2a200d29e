import type { SessionState } from "./session-store.ts";

/** What the auth service wrote into the address at the end of a mailed link. */
export type LinkAnswer = {
  /** Something that must be read before going on. */
  notice: SessionState["linkNotice"];
  /** What the link was for, where it worked, and the message of its success. */
  purpose: { type: string; welcome?: { title: string; description?: string } } | null;
};

// Anyone can write a link to us with any text in it, so no text of an address is ever shown: only sentences of ours.
const EXPIRED = "This link has expired or was used already. Ask for a new one.";
const UNUSABLE = "This link could not be used. Ask for a new one.";
const FIRST_OF_TWO =
  "Confirmation link accepted. Please proceed to confirm the link sent to the other email.";

const CONFIRMED = { title: "Email confirmed", description: "You are logged in." };
const WELCOMES = new Map<string, LinkAnswer["purpose"]>([
  ["recovery", { type: "recovery" }],
  ["signup", { type: "signup", welcome: CONFIRMED }],
  ["invite", { type: "invite", welcome: CONFIRMED }],
  ["email_change", { type: "email_change", welcome: { title: "Email changed" } }],
]);

/** The parameters stand in the fragment, errors sometimes in the query. */
export function readLinkAnswer({ hash, search }: Pick<Location, "hash" | "search">): LinkAnswer {
  const inHash = new URLSearchParams(hash.slice(1));
  const inQuery = new URLSearchParams(search);
  const find = (name: string) => inHash.get(name) ?? inQuery.get(name);
  const code = find("error_code") ?? find("error");
  if (code) {
    return { notice: { text: code === "otp_expired" ? EXPIRED : UNUSABLE, isProblem: true }, purpose: null };
  }
  // The service sends one message only: the first of two mailboxes has agreed to a change of address.
  if (inHash.has("message")) return { notice: { text: FIRST_OF_TWO, isProblem: false }, purpose: null };
  if (!inHash.get("access_token")) return { notice: null, purpose: null };
  const type = inHash.get("type") ?? "magiclink";
  return {
    notice: null,
    purpose: WELCOMES.get(type) ?? { type, welcome: { title: "Logged in successfully" } },
  };
}
