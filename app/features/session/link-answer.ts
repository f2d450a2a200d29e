import type { SessionState } from "./session-store.ts";

/** The result of a mailed link, which the auth service puts into the address. */
export type LinkAnswer = {
  /** A message to read before continuing. */
  notice: SessionState["linkNotice"];
  /** The purpose of a successful link, and its success message. */
  purpose: {
    type: string;
    welcome?: { title: string; description?: string };
    /** Its message is also true before the second factor. */
    isDone?: boolean;
  } | null;
};

// Anyone can craft a link to us with any text, so text from the address is never shown: only our own sentences.
const EXPIRED = "This link has expired or was used already. Ask for a new one.";
const UNUSABLE = "This link could not be used. Ask for a new one.";
const FIRST_OF_TWO =
  "Confirmation link accepted. Please proceed to confirm the link sent to the other email.";

const PROVIDER_FAULTS = new Map([
  ["access_denied", "You didn’t finish signing in there. Try again, or choose another way."],
  ["bad_oauth_callback", "The other service did not send you back properly. Please try again."],
  ["bad_oauth_state", "That took too long, or was opened a second time. Please try again."],
  ["conflict", "Your account is being created right now. Please try again."],
  ["email_conflict_identity_not_deletable", "That email address belongs to another account here."],
  ["identity_already_exists", "That account is already linked, to this account or another one."],
  [
    "provider_email_needs_verification",
    "Your account there has no confirmed email address. Confirm it there first, or sign up with your email.",
  ],
  ["signup_disabled", "New accounts can’t be created right now."],
  ["unexpected_failure", "Something did not answer as it should. Please try again in a moment."],
  [
    "user_already_exists",
    "An account here has that email address already. Log in to it first, then link the other service on your account page.",
  ],
  ["user_banned", "This account is suspended."],
]);

/** Known failures at a provider, and any other failure of a link. */
function describeFault(code: string): string {
  return code === "otp_expired" ? EXPIRED : (PROVIDER_FAULTS.get(code) ?? UNUSABLE);
}

const CONFIRMED = { title: "Email confirmed", description: "You are logged in." };
const ACCOUNT_LINKED = { title: "Account linked", description: "You can sign in with it from now on." };
/** Marks the return address of a user who is linking a provider. */
export const LINKED = "linked";
const WELCOMES = new Map<string, LinkAnswer["purpose"]>([
  ["recovery", { type: "recovery" }],
  ["signup", { type: "signup", welcome: CONFIRMED }],
  ["invite", { type: "invite", welcome: CONFIRMED }],
  ["email_change", { type: "email_change", welcome: { title: "Email changed" }, isDone: true }],
]);

/** Parameters are in the fragment, errors sometimes in the query. */
export function readLinkAnswer({ hash, search }: Pick<Location, "hash" | "search">): LinkAnswer {
  const inHash = new URLSearchParams(hash.slice(1));
  const inQuery = new URLSearchParams(search);
  const find = (name: string) => inHash.get(name) ?? inQuery.get(name);
  const code = find("error_code") ?? find("error");
  if (code) {
    return { notice: { text: describeFault(code), isProblem: true }, purpose: null };
  }
  // The service's only message: the first of two mailboxes confirmed a change of address.
  if (inHash.has("message")) return { notice: { text: FIRST_OF_TWO, isProblem: false }, purpose: null };
  if (!inHash.get("access_token")) return { notice: null, purpose: null };
  if (inQuery.has(LINKED))
    return { notice: null, purpose: { type: "linked", welcome: ACCOUNT_LINKED, isDone: true } };
  const type = inHash.get("type") ?? "magiclink";
  return {
    notice: null,
    purpose: WELCOMES.get(type) ?? { type, welcome: { title: "Logged in successfully" } },
  };
}
