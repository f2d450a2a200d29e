import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, Variables } from "../variables.ts";

/** Reads one setting; null if its variables are unset. Throws a one-sentence `ConfigurationError`. */
export type Setting<T> = (environment: Environment) => T | null;

/** A group of settings, and how each is read. */
export type SettingRows = { readonly [Key in keyof AuthConfig]?: Setting<AuthConfig[Key]> };

/** `true`, `false` or a number; a number is true if above 0. */
export const flag = (variable: string): Setting<boolean> => read((from) => from.boolean(variable));

export const text = (variable: string): Setting<string> => read((from) => from.text(variable));

/** A comma-separated list. */
export const list = (variable: string): Setting<string[]> => read((from) => from.list(variable));

/** A duration such as `90s`, `15m` or `24h`, in seconds. */
export const seconds = (variable: string): Setting<number> => read((from) => from.seconds(variable));

export const wholeNumber = (variable: string, range: { min: number; max: number }): Setting<number> =>
  read((from) => from.integer(variable, range));

export const choice = <T extends string>(variable: string, allowed: readonly T[]): Setting<T> =>
  read((from) => from.oneOf(variable, allowed));

export const anyCount = { min: 1, max: 1_000_000 };
export const anySeconds = { min: 1, max: 2 ** 31 - 1 };

function read<T>(take: (from: Variables) => T | null): Setting<T> {
  return (environment) => take(new Variables(environment));
}
