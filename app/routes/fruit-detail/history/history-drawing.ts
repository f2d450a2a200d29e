import type { ViewMode } from "#domain/values/view-mode.ts";

/** The coordinates of paths, stretched to the available width. Heights are CSS pixels. */
export const FIELD = { width: 1000, height: 240 };

/** A position in the drawing: `x` in percent of the width, `y` in pixels from the top. */
export type Place = { x: number; y: number };

export type DrawnSeries = {
  mode: ViewMode;
  /** A step path with all known values; it has gaps. */
  known: string;
  /** The same from the last check to today; empty if that was today. */
  unchecked: string;
  /** The current value's range, as an area since it last moved; empty if unknown. */
  band: string;
  dots: Place[];
  /** The last value's label at its end; `side` keeps the labels of two series apart. */
  end: Place & { text: string; side: "above" | "below" };
};

/** A mark to press for why a value changed; changes close to each other share one. */
export type Mark = Place & {
  mode: ViewMode;
  /** The ids of the changes in the ledger, newest first. */
  steps: number[];
  /** `Aug 11, 2026: 660M to 640M`, or the number of changes and their days. */
  label: string;
};

/** A history ready to be rendered without charting code in the browser. */
export type HistoryDrawing = {
  /** Explains the drawing's symbols, as far as they occur. */
  words: string;
  series: DrawnSeries[];
  marks: Mark[];
  values: { y: number; text: string }[];
  times: { x: number; text: string }[];
  /** Game updates that affected the item. */
  updates: { x: number; text: string; date: string }[];
};
