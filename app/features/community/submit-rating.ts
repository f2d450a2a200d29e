import { needsAge } from "#app/features/session/ask-for-age.ts";
import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { formatStars } from "#domain/people/rating.ts";
import { findHiddenWords } from "#domain/words/hidden-words.ts";
import { type OwnRating, readOwnRating, saveRating, type Trader } from "./trader-queries.ts";

type Refusal = NonNullable<Awaited<ReturnType<typeof saveRating>>["error"]>;

const UNREACHABLE = "Your rating could not be sent. Nothing is lost; please try again in a moment.";

/** What the form knows of the stored rating. */
export type Known = {
  /** The rating to be replaced, as shown. */
  earlier: OwnRating | null;
  /** A save got no answer: a newer rating is its own. */
  isUnanswered: boolean;
};

/**
 * Sends a rating as the user who wrote it; returns the words of the comment that are hidden from others. Reports a
 * session that has ended (8.error.23).
 * @throws FormError for the comment, also if it would replace a rating that was given elsewhere meanwhile
 */
export async function submitRating(
  client: SessionClient,
  writerId: string,
  traderId: string,
  { stars, comment }: RatingDraft,
  known: Known,
  setKnown: (known: Known) => void,
): Promise<{ hidden: string[] } | "signed out" | { error: Refusal }> {
  const { session, isUnreachable } = await readLiveSession(client);
  if (isUnreachable) throw atComment(UNREACHABLE);
  // Somebody else may have logged in, in another tab.
  if (session?.user.id !== writerId) return refuseVisitor();
  const read = known.isUnanswered ? null : await readOwnRating(client, writerId, traderId).retry(false);
  const stored = read?.data;
  if (stored && stored.created_at !== known.earlier?.created_at) {
    setKnown({ earlier: stored, isUnanswered: false });
    throw atComment(describeNewer(stored));
  }
  const row = { rater_id: writerId, rated_user_id: traderId, rating: stars, comment: comment || null };
  const { data, error, status } = read?.error ? read : await saveRating(client, row);
  if (!read?.error && isAway(status)) setKnown({ ...known, isUnanswered: true });
  if (isSignedOutStatus(status)) {
    await endSession(client);
    return refuseVisitor();
  }
  // The form asks for the age group first, and sends again.
  if (error && needsAge(error)) return { error };
  if (error) throw atComment(describeFailure(error, status));
  return { hidden: findHiddenWords(comment, data?.comment ?? "") };
}

function atComment(sentence: string): FormError {
  return new FormError(sentence, { title: null, fields: ["comment"] });
}

function describeNewer({ rating, comment }: OwnRating): string {
  const given = comment ? `${formatStars(rating)}, “${comment}”` : formatStars(rating);
  return `You rated this trader somewhere else in the meantime: ${given}. Submit again to replace it.`;
}

/** Whether no answer came, or none that tells. */
const isAway = (status: number) => status === 0 || status >= 500;

function refuseVisitor(): "signed out" {
  showToast({ title: "Please log in to rate users", variant: "destructive" });
  return "signed out";
}

/** The codes with which the database refuses by rule, right and limit. */
const SENTENCES = new Set(["23514", "42501", "PT429"]);

/** The database explains refused comments in a sentence; constraint violations it names in developers' terms only. */
function describeFailure({ code, message }: { code: string; message: string }, status: number): string {
  if (isAway(status)) return UNREACHABLE;
  const isSentence = SENTENCES.has(code) && !/violates|permission denied/.test(message);
  return isSentence ? message : "This trader can’t be rated right now.";
}

export type RatedTrader = Pick<Trader, "id" | "username">;

export type RatingDraft = { stars: number; comment: string };
