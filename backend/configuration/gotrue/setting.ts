import type { AuthConfig } from "#backend/auth/service/auth-config.ts";
import { type Environment, Variables } from "../variables.ts";

/** Reads one setting; null if its variables are unset. Throws a one-sentence `ConfigurationError`. */
export type Setting<T> = (environment: Environment) => T | null;

/** A group of settings, and how each is read. */
export type SettingRows = { readonly [Key in keyof AuthConfig]?: Setting<AuthConfig[Key]> };

/** `true`, `false` or a number; a number is true if above 0. */
export const flag = (variable: string): Setting<boolean> =>
  read(variable, (from, name) => from.boolean(name));

export const text = (variable: string): Setting<string> => read(variable, (from, name) => from.text(name));

/** A comma-separated list. */
export const list = (variable: string): Setting<string[]> => read(variable, (from, name) => from.list(name));

/** A duration such as `90s`, `15m` or `24h`, in seconds. */
export const seconds = (variable: string): Setting<number> =>
  read(variable, (from, name) => from.seconds(name));

export const wholeNumber = (variable: string, range: { min: number; max: number }): Setting<number> =>
  read(variable, (from, name) => from.integer(name, range));

export const choice = <T extends string>(variable: string, allowed: readonly T[]): Setting<T> =>
  read(variable, (from, name) => from.oneOf(name, allowed));

export const anyCount = { min: 1, max: 1_000_000 };
export const anySeconds = { min: 1, max: 2 ** 31 - 1 };

/** Takes the variable's full name, so that it can be found by searching. */
function read<T>(variable: string, take: (from: Variables, name: string) => T | null): Setting<T> {
  return (environment) => take(new Variables(environment, null), variable);
}
