import { closestMatch } from "#backend/rest/plan/fuzzy-match.ts";
import { whyWithoutEffect } from "./gotrue/without-effect.ts";
import type { Environment } from "./variables.ts";

/**
 * An environment that records which variables are read, so that no list of supported variables has to be maintained.
 */
export type WatchedEnvironment = {
  environment: Environment;
  names(): string[];
  /** A sentence for each variable that is set but was not read. */
  describeUnread(): string[];
};

/** Prefixes of the hosted services, which have many more variables than are supported here. */
const UPSTREAM = /^(GOTRUE|PGRST|STORAGE|REALTIME|TENANT)_/;
/**
 * Similarity for a suggestion: allows two transposed characters in a name of eight, at most three differing ones in a
 * longer name.
 */
const alikeFrom = (name: string) => Math.max(0.75, 1 - 3 / name.length);

/** @param readBefore names that are read elsewhere */
export function watchReads(variables: Environment, readBefore: readonly string[] = []): WatchedEnvironment {
  const read = new Set(readBefore);
  const environment = new Proxy(variables, {
    get(target, name) {
      read.add(String(name));
      return target[String(name)];
    },
  });
  return {
    environment,
    names: () => [...read],
    describeUnread() {
      const known = [...read];
      return Object.keys(variables)
        .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name) && variables[name] !== "" && !known.includes(name))
        .flatMap((name) => describe(name, closestMatch(known, name, alikeFrom(name))))
        .sort();
    },
  };
}

/** A variable that resembles none of ours and lacks a service's prefix belongs to another program. */
function describe(name: string, alike: string | null): string[] {
  const why = whyWithoutEffect(name);
  if (why) return [`${name} is set and has no effect: ${why}.`];
  if (alike) return [`${name} is set, and nothing reads it: is ${alike} meant?`];
  return UPSTREAM.test(name)
    ? [`${name} is set, and nothing reads it: it is not supported here, or not as the other settings are.`]
    : [];
}
