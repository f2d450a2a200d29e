/** The `Prefer` header (RFC 7240); null for preferences not given. */
export type Preferences = {
  resolution: "merge-duplicates" | "ignore-duplicates" | null;
  missing: "default" | "null" | null;
  representation: "representation" | "headers-only" | "minimal" | null;
  count: "exact" | "planned" | "estimated" | null;
  transaction: "commit" | "rollback" | null;
  handling: "strict" | "lenient" | null;
  timezone: string | null;
  maxAffected: number | null;
  /** Unknown preferences; an error only with handling=strict. */
  invalid: string[];
};

type PreferenceName = Exclude<keyof Preferences, "invalid">;

/** A Map, because an object would also match `constructor`. */
const known: ReadonlyMap<string, [PreferenceName, string]> = new Map(
  (
    [
      ["resolution", "resolution", ["merge-duplicates", "ignore-duplicates"]],
      ["missing", "missing", ["default", "null"]],
      ["representation", "return", ["representation", "headers-only", "minimal"]],
      ["count", "count", ["exact", "planned", "estimated"]],
      ["transaction", "tx", ["commit", "rollback"]],
      ["handling", "handling", ["strict", "lenient"]],
    ] as [PreferenceName, string, string[]][]
  ).flatMap(([name, word, values]) =>
    values.map((value): [string, [PreferenceName, string]] => [`${word}=${value}`, [name, value]]),
  ),
);

/**
 * Parses the header; the first value of each preference wins.
 * @param transactionOverride whether `tx=` may choose how the transaction ends; if not, it is ignored
 */
export function parsePreferences(header: string | undefined, transactionOverride: boolean): Preferences {
  const preferences: Preferences = {
    resolution: null,
    missing: null,
    representation: null,
    count: null,
    transaction: null,
    handling: null,
    timezone: null,
    maxAffected: null,
    invalid: [],
  };
  for (const text of header?.split(",") ?? []) readPreference(preferences, text.trim());
  if (!transactionOverride) preferences.transaction = null;
  return preferences;
}

function readPreference(preferences: Preferences, text: string): void {
  if (text === "") return;
  const found = known.get(text);
  if (found) {
    const [name, value] = found;
    if (preferences[name] === null) Object.assign(preferences, { [name]: value });
    return;
  }
  const zone = /^timezone=(.+)$/.exec(text)?.[1];
  const most = /^max-affected=(\d{1,15})$/.exec(text)?.[1];
  // Time zones are validated by PostgreSQL, with its own error message.
  if (zone !== undefined) preferences.timezone ??= zone;
  else if (most !== undefined) preferences.maxAffected ??= Number(most);
  else preferences.invalid.push(text);
}

/** The value of `Preference-Applied` for those in `honored`, or null if there are none. */
export function appliedPreferences(
  preferences: Preferences,
  honored: Record<"resolution" | "representation" | "missing" | "maxAffected", boolean>,
): string | null {
  const applied = [
    honored.resolution && preferences.resolution && `resolution=${preferences.resolution}`,
    honored.missing && preferences.missing && `missing=${preferences.missing}`,
    honored.representation && preferences.representation && `return=${preferences.representation}`,
    preferences.count && `count=${preferences.count}`,
    preferences.transaction && `tx=${preferences.transaction}`,
    preferences.handling && `handling=${preferences.handling}`,
    preferences.timezone && `timezone=${preferences.timezone}`,
    honored.maxAffected &&
      preferences.handling === "strict" &&
      preferences.maxAffected !== null &&
      `max-affected=${preferences.maxAffected}`,
  ].filter(Boolean);
  return applied.length === 0 ? null : applied.join(", ");
}
