import { type CallError, describeFailure } from "#app/routes/chat/room/describe-failure.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** A notice of why something could not be done. */
export function showCallFailure(error: CallError): void {
  const { sentence } = describeFailure(error, Date.now());
  showToast({ title: "Error", description: sentence, variant: "destructive" });
}
