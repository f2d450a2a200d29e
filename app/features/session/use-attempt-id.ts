import { useState } from "react";

/** The ids of what a form sends, so that a repeat after a lost answer is recognized. */
export const useAttemptId = () => useState(newAttempt)[0];

export type AttemptId = ReturnType<typeof newAttempt>;

function newAttempt() {
  let key = "";
  let id = "";
  return {
    /** The same one for the same content. */
    idOf(content: unknown): string {
      const sent = JSON.stringify(content);
      if (key !== sent) [key, id] = [sent, crypto.randomUUID()];
      return id;
    },
    /** It is saved: the same content is another one from now on. */
    forget() {
      key = "";
    },
  };
}
