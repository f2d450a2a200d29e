/** A step of a role-claim path: a key, an array index, a condition on an array's strings, or a substring. */
export type RoleStep =
  | string
  | number
  | { comparison: Comparison; text: string }
  | { from: number; to: number };

type Comparison = keyof typeof comparisons;

const comparisons = {
  "==": (value: string, text: string) => value === text,
  "!=": (value: string, text: string) => value !== text,
  "^==": (value: string, text: string) => value.startsWith(text),
  "==^": (value: string, text: string) => value.endsWith(text),
  "*==": (value: string, text: string) => value.includes(text),
};

type Reader = [pattern: RegExp, read: (match: RegExpExecArray) => RoleStep];

const readers: Reader[] = [
  [/^\.([A-Za-z_$@][\w$@-]*)/, ([, name = ""]) => name],
  [/^\."((?:[^"\\]|\\.)*)"/, ([, name = ""]) => name.replace(/\\(.)/g, "$1")],
  [/^\[(\d+)\]/, ([, place]) => Number(place)],
  [
    /^\[\?\(\s*@\s*(==\^|\^==|\*==|==|!=)\s*"([^"]*)"\s*\)\]/,
    ([, comparison, text = ""]) => ({ comparison: comparison as Comparison, text }),
  ],
  [
    /^\[(-?\d+)?:(-?\d+)?\]/,
    ([, from, to]) => ({ from: Number(from ?? 0), to: to === undefined ? Infinity : Number(to) }),
  ],
];

/**
 * Parses a role-claim path such as `.role`, `.app_metadata.roles[0]`, `."https://example.org/role"`, `.roles[?(@ ^==
 * "app_")]` or `.role[4:]` into its steps. Null if it is not a valid path.
 */
export function parseRoleClaimPath(text: string): RoleStep[] | null {
  const steps: RoleStep[] = [];
  for (let rest = text.replace(/^\$/, ""); rest !== ""; ) {
    const found = readers.map(([pattern, read]) => ({ match: pattern.exec(rest), read }));
    const first = found.find(({ match }) => match !== null);
    if (!first?.match) return null;
    steps.push(first.read(first.match));
    rest = rest.slice(first.match[0].length);
  }
  return steps.length > 0 ? steps : null;
}

/** The role in the claims at `path`, if any. */
export function findRole(claims: unknown, path: RoleStep[]): string | undefined {
  const value = path.reduce(follow, claims);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function follow(value: unknown, step: RoleStep): unknown {
  if (typeof step !== "object") {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string | number, unknown>)[step];
  }
  if ("from" in step) return typeof value === "string" ? value.slice(step.from, step.to) : undefined;
  if (!Array.isArray(value)) return undefined;
  return value.find((each) => typeof each === "string" && comparisons[step.comparison](each, step.text));
}
