/** In UTC, as PostgreSQL writes it where that is its time zone. */
const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?\+00$/;

/** Converts a PostgreSQL timestamp to the ISO format of JavaScript: `2026-11-21T10:43:00.123Z`. */
export function isoTime(text: string | null | undefined): string | null {
  if (!text) return null;
  // A list has three in each entry, and a `Date` for each takes several times as long.
  const utc = UTC.exec(text);
  if (utc) return `${utc[1]}T${utc[2]}.${(utc[3] ?? "").padEnd(3, "0")}Z`;
  const [, date, time, zone = ""] = /^(\S+) ([\d:.]+)([+-]\d\d(?::\d\d)?)?/.exec(text) ?? [];
  const offset = zone.length === 3 ? `${zone}:00` : zone || "Z";
  return new Date(`${date}T${time}${offset}`).toISOString();
}
