import { useEffect, useRef, useState } from "react";

/** Answers the page's question to the user; true if they may continue. */
type Asker = () => Promise<boolean>;

/** A question that any action may need to ask, answered in one dialog of the page. */
export function createQuestion() {
  let asker: Asker | null = null;
  return {
    /** Whether a dialog is mounted to ask it. */
    isHeard: () => asker !== null,
    /** Asks; false if no dialog is mounted or the user cancels. */
    ask: (): Promise<boolean> => asker?.() ?? Promise.resolve(false),
    /** Registers the dialog; returns a function that unregisters it. */
    answerWith(ask: Asker): () => void {
      asker = ask;
      return () => {
        if (asker === ask) asker = null;
      };
    },
  };
}

/** For the dialog: whether it is open, and a function that closes it with an answer. */
export function useQuestion({ answerWith }: ReturnType<typeof createQuestion>) {
  const [isOpen, setOpen] = useState(false);
  const settle = useRef<(answer: boolean) => void>(() => undefined);
  useEffect(() => {
    const stop = answerWith(() => {
      settle.current(false);
      setOpen(true);
      return new Promise((resolve) => {
        settle.current = resolve;
      });
    });
    return () => {
      stop();
      // Leaving the page counts as no.
      settle.current(false);
    };
  }, [answerWith]);
  function end(answer: boolean): void {
    setOpen(false);
    settle.current(answer);
  }
  return [isOpen, end] as const;
}
