import { askForAge } from "#app/features/session/ask-for-age.ts";
import type { Failure } from "#app/routes/chat/room/describe-failure.ts";
import type { Room } from "#app/routes/chat/room/room.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Reports why a message was not sent; if the age group is needed first, asks for it, then sends the message. */
export async function settle(room: Room, sent: Promise<Failure | null>): Promise<Failure | null> {
  const failure = await sent;
  if (!failure?.asksAge) {
    showSendFailure(failure);
    return failure;
  }
  await askForAge();
  // Whatever the answer: children may use quick talk, and for everything else the reason is another one now. Only if
  // there was no answer, the first would be refused again, and so would the others.
  const [first, ...others] = room.current().outgoing.filter((each) => each.failure?.asksAge);
  const again = first ? await room.retry(first.id) : null;
  showOtherFailure(again);
  if (isUnasked(again)) return null;
  for (const { id } of others) void room.retry(id).then(showOtherFailure);
  return null;
}

/** Whether the age group is what is missing, not a parent's permission. */
const isUnasked = (failure: Failure | null) => failure?.asksAge === true && failure.kind === "later";

/** The same for reactions, which children may also give. */
export async function settleReaction(react: () => Promise<Failure | null>): Promise<void> {
  const failure = await react();
  if (!failure?.asksAge) return showFailure("Failed to react", failure);
  await askForAge();
  const again = await react();
  if (!again?.asksAge) showFailure("Failed to react", again);
}

const showSendFailure = (failure: Failure | null) => showFailure("Failed to send message", failure);

/** Users who did not answer have been asked already. */
function showOtherFailure(failure: Failure | null): void {
  if (!failure?.asksAge) showSendFailure(failure);
}

function showFailure(title: string, failure: Failure | null): void {
  if (!failure) return;
  showToast({ title, description: failure.sentence, variant: "destructive" });
}
