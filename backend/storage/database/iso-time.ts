/** Converts a PostgreSQL timestamp to the ISO format of JavaScript: `2026-11-21T10:43:00.123Z`. */
export function isoTime(text: string | null | undefined): string | null {
  if (!text) return null;
  const [, date, time, zone = ""] = /^(\S+) ([\d:.]+)([+-]\d\d(?::\d\d)?)?/.exec(text) ?? [];
  const offset = zone.length === 3 ? `${zone}:00` : zone || "Z";
  return new Date(`${date}T${time}${offset}`).toISOString();
}
