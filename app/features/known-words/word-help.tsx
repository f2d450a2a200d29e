import { type ComponentType, useEffect, useState } from "react";
import type { WordMarksProps } from "./word-marks.tsx";

/**
 * Underlines words that will be hidden while one writes, and suggests the closest known words. Loaded when the field is
 * first focused; if that fails, writing works without it. Must stand beside its field, in the same positioned box.
 */
export function WordHelp(props: WordMarksProps) {
  const [Marks, setMarks] = useState<ComponentType<WordMarksProps> | null>(null);
  const { field } = props;
  useEffect(() => {
    const element = field.current;
    const load = () =>
      void import("./word-marks.tsx").then(
        ({ WordMarks }) => setMarks(() => WordMarks),
        () => undefined,
      );
    if (document.activeElement === element) load();
    element?.addEventListener("focus", load);
    return () => element?.removeEventListener("focus", load);
  }, [field]);
  return Marks && <Marks {...props} />;
}
