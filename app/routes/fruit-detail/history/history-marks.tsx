import type { MouseEvent } from "react";
import type { Mark } from "./history-drawing.ts";

type HistoryMarksProps = {
  marks: readonly Mark[];
  /** The open mark, by its newest change; null for none. */
  open: number | null;
  onOpen: (id: number | null) => void;
  panelId: string;
};

/**
 * The marks on the chart to press for why a value changed. Without scripts they are links to the change in the list;
 * with scripts, buttons that open the reason below the chart.
 */
export function HistoryMarks({ marks, open, onOpen, panelId }: HistoryMarksProps) {
  return marks.map((mark) => {
    const [id = 0] = mark.steps;
    const isOpen = open === id;
    const toggle = (event: Pick<MouseEvent, "preventDefault">) => {
      event.preventDefault();
      onOpen(isOpen ? null : id);
    };
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: the link in it has its name
      <svg key={id} x={`${mark.x}%`} y={mark.y} overflow="visible" className={`chart-${mark.mode}`}>
        {/* biome-ignore lint/a11y/useSemanticElements: SVG has no button, and without scripts it leads somewhere */}
        <a
          href={`#change-${id}`}
          role="button"
          aria-label={mark.label}
          aria-expanded={isOpen}
          aria-controls={panelId}
          className="chart-mark"
          onClick={toggle}
          onKeyDown={(event) => event.key === " " && toggle(event)}
        >
          <circle r="22" className="chart-press" />
          {mark.mode === "regular" ? <circle r="8" /> : <path d="M0-10 10 0 0 10-10 0Z" />}
          {mark.steps.length > 1 && <text y="4">{mark.steps.length}</text>}
        </a>
      </svg>
    );
  });
}
