import { type ComponentType, useEffect, useState } from "react";
import type { WordMarksProps } from "./word-marks.tsx";

/**
 * Marks what nobody would see of a text while it is written, and offers the nearest known words. Comes when the field is
 * first entered; where it cannot be had, writing simply goes on. Stands beside its field, in the same positioned box.
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
