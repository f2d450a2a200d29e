import type { SessionState } from "./session-store.ts";

/** What the auth service wrote into the address at the end of a mailed link. */
export type LinkAnswer = {
  /** Something that must be read before going on. */
  notice: SessionState["linkNotice"];
  /** What the link was for, where it worked, and how its success is told. */
  purpose: { type: string; welcome?: { title: string; description?: string } } | null;
};

const PROBLEMS: Record<string, string> = {
  otp_expired: "This link has expired or was used already. Ask for a new one.",
  access_denied: "This link could not be used. Ask for a new one.",
};

const CONFIRMED = { title: "Email confirmed", description: "You are logged in." };
const WELCOMES: Record<string, LinkAnswer["purpose"]> = {
  recovery: { type: "recovery" },
  signup: { type: "signup", welcome: CONFIRMED },
  invite: { type: "invite", welcome: CONFIRMED },
  email_change: { type: "email_change", welcome: { title: "Email changed" } },
};

/** The parameters stand in the fragment, errors sometimes in the query. */
export function readLinkAnswer({ hash, search }: Pick<Location, "hash" | "search">): LinkAnswer {
  const inHash = new URLSearchParams(hash.slice(1));
  const inQuery = new URLSearchParams(search);
  const find = (name: string) => inHash.get(name) ?? inQuery.get(name);
  const code = find("error_code") ?? find("error");
  if (code)
    return { notice: { text: problemText(code, find("error_description")), isProblem: true }, purpose: null };
  const message = inHash.get("message");
  if (message) return { notice: { text: asSentence(message), isProblem: false }, purpose: null };
  if (!inHash.get("access_token")) return { notice: null, purpose: null };
  const type = inHash.get("type") ?? "magiclink";
  return { notice: null, purpose: WELCOMES[type] ?? { type, welcome: { title: "Logged in successfully" } } };
}

function problemText(code: string, description: string | null): string {
  return PROBLEMS[code] ?? asSentence(description || "This link could not be used");
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
