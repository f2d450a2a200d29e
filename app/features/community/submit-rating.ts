import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import { type BackendAddress, openSession } from "#app/features/session/open-session.ts";
import { showToast } from "#app/ui/toast-store.ts";
import type { RatingDraft } from "./rating-draft.ts";
import { saveRating } from "./trader-queries.ts";

type Outcome = "done" | "signed out" | { problem: string };

const UNREACHABLE = {
  problem: "Your rating could not be sent. Nothing is lost; please try again in a moment.",
};

/** Sends a rating in the name of whoever is signed in now, and says what came of it (8.error.23, 8.success.07). */
export async function submitRating(
  backend: BackendAddress,
  traderId: string,
  { stars, comment }: RatingDraft,
): Promise<Outcome> {
  try {
    const client = await openSession(backend);
    const { session, isUnreachable } = await readLiveSession(client);
    if (isUnreachable) return UNREACHABLE;
    if (!session) return refuseVisitor();
    const { error, status } = await saveRating(client, {
      rater_id: session.user.id,
      rated_user_id: traderId,
      rating: stars,
      comment: comment.trim() || null,
    });
    if (isSignedOutStatus(status)) {
      await endSession(client);
      return refuseVisitor();
    }
    if (error) return describeFailure(error, status);
  } catch {
    return UNREACHABLE;
  }
  showToast({ title: "Rating submitted successfully" });
  return "done";
}

function refuseVisitor(): "signed out" {
  showToast({ title: "Please log in to rate users", variant: "destructive" });
  return "signed out";
}

/** What a rule, a right and a limit of the database refuse with. */
const SENTENCES = new Set(["23514", "42501", "PT429"]);

/** The database says in a sentence what is wrong with a comment; its own rules it names in words for developers. */
function describeFailure({ code, message }: { code: string; message: string }, status: number): Outcome {
  if (status === 0 || status >= 500) return UNREACHABLE;
  const isSentence = SENTENCES.has(code) && !/violates|permission denied/.test(message);
  return { problem: isSentence ? message : "This trader can’t be rated right now." };
}
