import { useEffect, useRef, useState } from "react";

type Stored = { updated_at: string };

/**
 * The state that an edit began from, and over which alone it is saved. When `now` differs, somebody has to choose:
 * `take` begins again from what is stored, `keep` goes on with what was typed.
 */
export function useEditBase<T extends Stored>(now: T) {
  const [initial, setInitial] = useState(now);
  const [base, setBase] = useState(now);
  const element = useRef<HTMLFormElement>(null);
  // When the edit begins, and when a choice was made, whose buttons are gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: base tells of the choice
  useEffect(() => element.current?.querySelector<HTMLElement>("input, textarea")?.focus(), [base]);
  return {
    /** The form, whose first field gets the focus. */
    element,
    /** What stands in the fields at first. */
    initial,
    base,
    isStale: now.updated_at !== base.updated_at,
    take() {
      setInitial(now);
      setBase(now);
    },
    keep: () => setBase(now),
  };
}
