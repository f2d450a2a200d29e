import { useEffect, useState } from "react";
import { keepText } from "#app/features/chat/kept-text.ts";

type ChangeDraft = (change: (before: string) => string) => void;

/** What is being typed, and how to change it; kept for this tab over a reload. */
export function useDraft(userId: string): [string, ChangeDraft] {
  const [kept] = useState(() => keepText(userId));
  const [draft, setDraft] = useState(() => kept.readDraft());
  useEffect(() => kept.writeDraft(draft), [kept, draft]);
  return [draft, setDraft];
}
