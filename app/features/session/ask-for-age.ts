/** Whether the database wants the age group first, or a parent's permission (supabase/schemas/age/voice.sql). */
export function needsAge(error: { code?: string | undefined; details?: string | null } | null): boolean {
  return (
    error?.code === "PT403" && (error.details === "unasked" || error.details === "child") && asker !== null
  );
}

type Asker = () => Promise<boolean>;
let asker: Asker | null = null;

/** Registers who asks, such as a page's dialog; returns how to stop. */
export function answerAgeWith(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** Asks; true when the person may go on with what was refused. */
export function askForAge(): Promise<boolean> {
  return asker?.() ?? Promise.resolve(false);
}
