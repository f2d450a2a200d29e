import type { ViewMode } from "#domain/values/view-mode.ts";

/** The field that paths are drawn on; it is stretched to the width there is. Heights are CSS pixels. */
export const FIELD = { width: 1000, height: 240 };

/** A place in the drawing: `x` in percent of the width, `y` in pixels from the top. */
export type Place = { x: number; y: number };

export type DrawnSeries = {
  mode: ViewMode;
  /** A path on FIELD with all that is known: it holds each value until the next one, and has gaps. */
  known: string;
  /** The same from the last check to today; empty where that was today. */
  unchecked: string;
  /** What today's value may be off by, as an area since it last moved; empty where nothing is known of that. */
  band: string;
  dots: Place[];
  /** The last value, said at its end; `side` keeps the labels of two series apart. */
  end: Place & { text: string; side: "above" | "below" };
};

/** What is pressed to read why a value changed; changes close to each other share one. */
export type Mark = Place & {
  mode: ViewMode;
  /** The changes by their rows in the ledger, newest first. */
  steps: number[];
  /** `Aug 11, 2026: 660M to 640M`, or how many changes there are and of which days. */
  label: string;
};

/** A history ready to be drawn without any charting code in the browser. */
export type HistoryDrawing = {
  /** What the drawing's signs mean, as far as they occur in it. */
  words: string;
  series: DrawnSeries[];
  marks: Mark[];
  values: { y: number; text: string }[];
  times: { x: number; text: string }[];
  /** Updates of the game that touched the item. */
  updates: { x: number; text: string; date: string }[];
};
