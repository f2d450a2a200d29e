import * as v from "valibot";
import { accessDenied, StorageError } from "../../storage-error.ts";

/** A form's fields by their lowercase names. */
export type FormFields = Map<string, string>;
export type SizeRange = { least: number; most: number };

const Value = v.pipe(v.union([v.string(), v.number()]), v.transform(String));
const Size = v.pipe(Value, v.regex(/^\d{1,15}$/), v.transform(Number));
const Field = v.pipe(v.string(), v.startsWith("$"));
const Condition = v.union([
  v.tuple([v.literal("content-length-range"), Size, Size]),
  v.tuple([v.picklist(["eq", "starts-with"]), Field, Value]),
  v.pipe(
    v.custom<object>((input) => typeof input === "object" && !Array.isArray(input)),
    v.record(v.string(), Value),
  ),
]);
const Policy = v.object({
  expiration: v.pipe(v.string(), v.isoTimestamp(), v.transform(Date.parse)),
  conditions: v.array(Condition),
});
export type Policy = v.InferOutput<typeof Policy>;

/** Parses the field of this name. @throws StorageError 400 */
export function readPolicy(text: string): Policy {
  try {
    return v.parse(Policy, JSON.parse(Buffer.from(text, "base64").toString("utf8")));
  } catch {
    throw new StorageError(400, "InvalidPolicyDocument", "The policy document of the form is not valid");
  }
}

/** Fields that need no condition: what is signed, and what it is signed with. */
const FREE = ["policy", "x-amz-signature"];

/**
 * Requires each condition to hold, and one for each field, the bucket's among them.
 * @returns how large the file may be
 * @throws StorageError 403
 */
export function requirePolicy({ expiration, conditions }: Policy, fields: FormFields): SizeRange {
  if (expiration <= Date.now()) throw denied("Policy expired.");
  const range: SizeRange = { least: 0, most: Number.MAX_SAFE_INTEGER };
  const allowed = new Set(FREE);
  for (const condition of conditions) {
    if (Array.isArray(condition) && condition[0] === "content-length-range") {
      range.least = Math.max(range.least, condition[1]);
      range.most = Math.min(range.most, condition[2]);
      continue;
    }
    for (const { field, holds } of rulesOf(condition)) {
      const name = field.toLowerCase();
      if (!holds(fields.get(name) ?? ""))
        throw denied(`Policy Condition failed: ${JSON.stringify(condition)}`);
      allowed.add(name);
    }
  }
  const extra = [...fields.keys()].find((name) => !allowed.has(name) && !name.startsWith("x-ignore-"));
  if (extra !== undefined) throw denied(`Extra input fields: ${extra}`);
  return range;
}

type Rule = { field: string; holds: (value: string) => boolean };

function rulesOf(condition: Policy["conditions"][number]): Rule[] {
  if (!Array.isArray(condition)) {
    return Object.entries(condition).map(([field, exact]) => ({ field, holds: (value) => value === exact }));
  }
  const [operator, field, text] = condition as [string, string, string];
  const holds = (value: string) => (operator === "eq" ? value === text : value.startsWith(text));
  return [{ field: field.slice(1), holds }];
}

const denied = (why: string) => accessDenied(`Invalid according to Policy: ${why}`);
