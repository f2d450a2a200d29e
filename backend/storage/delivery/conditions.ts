type Headers = Readonly<Record<string, string>>;
type Validators = { eTag: string; lastModified: Date };

/**
 * Whether the client's copy is current (RFC 9110 §13.1.2, §13.1.3): the ETag decides; the time counts only without one.
 */
export function isUnchanged(headers: Headers, { eTag, lastModified }: Validators): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) return matches(tags, eTag, weakly);
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return !Number.isNaN(since) && seconds(lastModified) <= since / 1000;
}

/** Whether a precondition fails (RFC 9110 §13.1.1, §13.1.4). */
export function isConditionFailed(headers: Headers, { eTag, lastModified }: Validators): boolean {
  const tags = headers["if-match"];
  if (tags !== undefined) return !matches(tags, eTag, strongly);
  const since = Date.parse(headers["if-unmodified-since"] ?? "");
  return !Number.isNaN(since) && seconds(lastModified) > since / 1000;
}

/** Whether If-Range matches, so that the range fits the client's partial copy (RFC 9110 §13.1.5). */
export function isRangeFresh(headers: Headers, { eTag, lastModified }: Validators): boolean {
  const condition = headers["if-range"];
  if (condition === undefined) return true;
  if (condition.startsWith('"')) return condition === eTag;
  return !condition.startsWith("W/") && Date.parse(condition) / 1000 === seconds(lastModified);
}

function matches(list: string, eTag: string, same: (a: string, b: string) => boolean): boolean {
  return list.trim() === "*" || list.split(",").some((tag) => same(tag.trim(), eTag));
}

const weakly = (a: string, b: string) => a.replace(/^W\//, "") === b;
const strongly = (a: string, b: string) => a === b;

/** HTTP dates have no fractional seconds. */
function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
