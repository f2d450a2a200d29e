import {
  ColorType,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type MouseEventParams,
  PriceScaleMode,
  TickMarkType,
  type UTCTimestamp,
} from "lightweight-charts";
import { formatDate, formatMonth, formatMonthDay } from "#domain/text/dates.ts";
import { formatReading } from "#domain/values/value-text.ts";
import { VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";
import { stretchesOf, type ValueSeries } from "./value-series.ts";

export type PointedAt = { time: number; values: Partial<Record<ViewMode, number>> };

export type ChartHandle = {
  /** Shows the last days, or everything. */
  show: (range: Range) => void;
  remove: () => void;
};

/** How far back the ranges reach, in days. */
export const RANGES = { "1 month": 31, "6 months": 183, "1 year": 366, All: null } as const;
export type Range = keyof typeof RANGES;

const DAY = 24 * 60 * 60 * 1000;

/** Puts a chart of both modes into an element; `onPoint` tells what is under the crosshair. */
export function mountChart(
  element: HTMLElement,
  history: ValueSeries,
  onPoint: (at: PointedAt | null) => void,
): ChartHandle {
  const chart = createChart(element, optionsFor(element, history));
  const owners = new Map<ISeriesApi<"Line">, ViewMode>();
  addDays(chart, history);
  for (const mode of VIEW_MODES) addStretches(chart, element, history, mode, owners);
  chart.subscribeCrosshairMove((event) => onPoint(pointedAt(event, owners)));
  chart.timeScale().fitContent();
  return { show: (range) => showDays(chart, history, RANGES[range]), remove: () => chart.remove() };
}

function optionsFor(element: HTMLElement, history: ValueSeries) {
  const wide = spansWidely(history);
  const line = colorOf(element, "text-line");
  return {
    autoSize: true,
    // Its mark brings a style element that the page's policy refuses; the text under the chart names the maker.
    layout: {
      attributionLogo: false,
      background: { type: ColorType.Solid, color: "transparent" },
      textColor: colorOf(element, "text-muted"),
      fontFamily: getComputedStyle(element).fontFamily,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: {
      borderColor: line,
      mode: wide ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal,
    },
    timeScale: {
      borderColor: line,
      minBarSpacing: 0.05,
      tickMarkFormatter: (time: unknown, kind: TickMarkType) => formatTick(Number(time) * 1000, kind),
    },
    localization: {
      timeFormatter: (time: unknown) => formatDate(Number(time) * 1000),
      priceFormatter: formatReading,
    },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    // The wheel belongs to the page; zooming takes a pinch, which wheels with Ctrl.
    handleScale: { mouseWheel: false, pinch: true, axisPressedMouseMove: true },
  };
}

/** A day where days are marked, else the month. */
function formatTick(time: number, kind: TickMarkType): string {
  return kind === TickMarkType.DayOfMonth ? formatMonthDay(time) : formatMonth(time);
}

function spansWidely(history: ValueSeries): boolean {
  const values = VIEW_MODES.flatMap((mode) => history[mode].flatMap(({ value }) => value ?? []));
  return Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) >= 12;
}

/** The chart counts readings, not days: an empty entry for each day makes equal times equally long. */
function addDays(chart: IChartApi, history: ValueSeries): void {
  const times = VIEW_MODES.flatMap((mode) => history[mode].map(({ time }) => dayOf(time)));
  const days = [];
  for (let day = Math.min(...times); day <= Math.max(...times); day += DAY) days.push({ time: second(day) });
  chart.addSeries(LineSeries, { lastValueVisible: false, priceLineVisible: false }).setData(days);
}

/** A series for each stretch, because a line of the chart runs on over empty days. */
function addStretches(
  chart: IChartApi,
  element: HTMLElement,
  history: ValueSeries,
  mode: ViewMode,
  owners: Map<ISeriesApi<"Line">, ViewMode>,
): void {
  const color = colorOf(element, mode === "regular" ? "text-link" : "text-accent-text");
  const stretches = stretchesOf(history[mode]);
  for (const [index, stretch] of stretches.entries()) {
    const series = chart.addSeries(LineSeries, {
      color,
      lineWidth: 2,
      pointMarkersVisible: true,
      pointMarkersRadius: 3,
      priceLineVisible: false,
      lastValueVisible: index === stretches.length - 1,
      priceFormat: { type: "custom", formatter: formatReading, minMove: 0.01 },
    });
    const byDay = new Map(stretch.map(({ time, value }) => [dayOf(time), value]));
    series.setData([...byDay].map(([day, value]) => ({ time: second(day), value })));
    owners.set(series, mode);
  }
}

function showDays(chart: IChartApi, history: ValueSeries, days: number | null): void {
  const last = dayOf(Math.max(...VIEW_MODES.map((mode) => history[mode].at(-1)?.time ?? 0)));
  if (days === null) chart.timeScale().fitContent();
  else chart.timeScale().setVisibleRange({ from: second(last - days * DAY), to: second(last) });
}

function pointedAt(event: MouseEventParams, owners: Map<ISeriesApi<"Line">, ViewMode>): PointedAt | null {
  if (event.time === undefined) return null;
  const values: PointedAt["values"] = {};
  for (const [series, mode] of owners) {
    const point = event.seriesData.get(series);
    if (point && "value" in point) values[mode] = point.value;
  }
  return { time: Number(event.time) * 1000, values };
}

/** The page's colors are of light and dark at once; only an element that wears one knows which. */
function colorOf(element: HTMLElement, className: string): string {
  const probe = element.ownerDocument.createElement("span");
  probe.className = className;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

function second(time: number): UTCTimestamp {
  return (time / 1000) as UTCTimestamp;
}
