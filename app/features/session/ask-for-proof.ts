/** Whether the service wants the person to show again that the account is theirs. */
export function needsProof(error: { code?: string | undefined } | null): boolean {
  return error?.code === "reauthentication_needed" && asker !== null;
}

type Asker = () => Promise<boolean>;
let asker: Asker | null = null;

/** Registers who asks, such as a page's dialog; returns how to stop. */
export function answerWith(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Asks; false where no dialog is registered, or the person cancels. */
export function askForProof(): Promise<boolean> {
  return asker?.() ?? Promise.resolve(false);
}
