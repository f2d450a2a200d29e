const STEP = /^(?:\.([A-Za-z_$@][\w$@-]*)|\."((?:[^"\\]|\\.)*)"|\[(\d+)\])/;

/**
 * Reads a role-claim path such as `.role`, `.app_metadata.roles[0]` or `."https://example.org/role"` into its steps.
 * Gives null for what is no such path.
 */
export function parseRoleClaimPath(text: string): (string | number)[] | null {
  const steps: (string | number)[] = [];
  for (let rest = text.replace(/^\$/, ""); rest !== ""; ) {
    const match = STEP.exec(rest);
    if (!match) return null;
    steps.push(
      match[3] === undefined ? (match[1] ?? (match[2] as string).replace(/\\(.)/g, "$1")) : Number(match[3]),
    );
    rest = rest.slice(match[0].length);
  }
  return steps.length > 0 ? steps : null;
}

/** The role that the claims name at `path`, if there is one. */
export function findRole(claims: unknown, path: (string | number)[]): string | undefined {
  let value = claims;
  for (const step of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return typeof value === "string" && value !== "" ? value : undefined;
}
