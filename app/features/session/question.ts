import { useEffect, useRef, useState } from "react";

/** Answers the question that a page puts to its person; true where they may go on. */
type Asker = () => Promise<boolean>;

/** What may have to be asked wherever somebody does something, and is answered in one dialog of the page. */
export function createQuestion() {
  let asker: Asker | null = null;
  return {
    /** Whether a dialog is there to ask. */
    isHeard: () => asker !== null,
    /** Asks; false where nobody can be asked, or the person cancels. */
    ask: (): Promise<boolean> => asker?.() ?? Promise.resolve(false),
    /** Registers who asks; returns how to stop. */
    answerWith(ask: Asker): () => void {
      asker = ask;
      return () => {
        if (asker === ask) asker = null;
      };
    },
  };
}

/** For the dialog that asks: whether it is open, and how to end it with an answer. */
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
      // Whoever left the page did not answer.
      settle.current(false);
    };
  }, [answerWith]);
  function end(answer: boolean): void {
    setOpen(false);
    settle.current(answer);
  }
  return [isOpen, end] as const;
}
