import { useCallback, useRef } from "react";

/**
 * Returns the id for what a form sends: the same one for the same content, so that a repeat after a lost answer is
 * recognized.
 */
export function useAttemptId(): (content: unknown) => string {
  const attempt = useRef({ key: "", id: "" });
  return useCallback((content) => {
    const key = JSON.stringify(content);
    if (attempt.current.key !== key) attempt.current = { key, id: crypto.randomUUID() };
    return attempt.current.id;
  }, []);
}
