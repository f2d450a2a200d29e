import { readFileSync } from "node:fs";

/**
 * Why the services cannot start, as one sentence naming the variable. Values are not included, as they may be secrets.
 */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables by their full names, so that each can be found by searching. */
export class Variables {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The first of the names that is set; an empty variable counts as unset. */
  text(...names: string[]): string | null {
    return this.textOrEmpty(...names) || null;
  }

  /** Like `text`, for variables whose empty value has a meaning. */
  textOrEmpty(...names: string[]): string | null {
    for (const name of names) {
      const value = this.#environment[name];
      if (value !== undefined) return value;
    }
    return null;
  }

  list(...names: string[]): string[] | null {
    return (
      this.text(...names)
        ?.split(",")
        .map((part) => part.trim()) ?? null
    );
  }

  integer(name: string, { min, max }: { min: number; max: number }): number | null {
    const text = this.text(name)?.trim();
    if (text === undefined) return null;
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < min || value > max) {
      refuse(name, `must be a whole number from ${min} to ${max}`);
    }
    return value;
  }

  /** As upstream: `true` or `false` in any case, or a number, true if above 0. */
  boolean(name: string): boolean | null {
    const text = this.text(name)?.trim().toLowerCase();
    if (text === undefined) return null;
    if (text === "true" || text === "false") return text === "true";
    if (!/^\d+$/.test(text)) refuse(name, "must be true or false");
    return Number(text) > 0;
  }

  /** A duration such as `90s`, `15m` or `24h`; also in the form in which Go prints one, such as `1h30m0s`. */
  seconds(name: string): number | null {
    const text = this.text(name)?.trim();
    if (text === undefined) return null;
    if (!DURATION.test(text)) refuse(name, "must be a length of time such as 90s, 15m or 24h");
    return [...text.matchAll(DURATION_PART)].reduce(
      (sum, [, amount, unit]) => sum + Number(amount) * (SECONDS_OF[unit as string] as number),
      0,
    );
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const found = allowed.find((value) => value === text);
    if (!found) refuse(name, `must be one of ${allowed.join(", ")}`);
    return found;
  }
}

const SECONDS_OF: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };
const DURATION = /^(0|(\d+(\.\d+)?(h|ms?|[uµn]?s))+)$/;
const DURATION_PART = /(\d+(?:\.\d+)?)(h|ms?|[uµn]?s)/g;

/** Throws a `ConfigurationError` stating the rule that a variable breaks. */
export function refuse(variable: string, rule: string): never {
  throw new ConfigurationError(`${variable} ${rule}.`);
}

/** Throws `refusal` as a `ConfigurationError` if the file cannot be read. */
export function readSettingsFile(path: string, refusal: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new ConfigurationError(refusal);
  }
}
