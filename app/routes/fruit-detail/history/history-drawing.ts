import type { ViewMode } from "#domain/values/view-mode.ts";

/** The field that paths are drawn on; it is stretched to the width there is. Heights are CSS pixels. */
export const FIELD = { width: 1000, height: 260 };

/** A place in the drawing: `x` in percent of the width, `y` in pixels from the top. */
export type Place = { x: number; y: number };

export type DrawnSeries = {
  mode: ViewMode;
  /** SVG paths on FIELD, one for each stretch of more than one reading. */
  paths: string[];
  dots: Place[];
  /** The last reading, said at its end; `side` keeps the labels of two series apart. */
  end: Place & { text: string; side: "above" | "below" };
};

/** A history ready to be drawn without any charting code in the browser. */
export type HistoryDrawing = {
  logarithmic: boolean;
  series: DrawnSeries[];
  values: { y: number; text: string }[];
  times: { x: number; text: string }[];
};
