import { nameKey, type Routine, type SchemaCache } from "../schema-cache/types.ts";
import { ambiguousRoutine, type CallBody, routineNotFound } from "./schema-errors.ts";

/**
 * The only overload that takes exactly these arguments; for a POST, else the one with a single unnamed parameter of the
 * body's type.
 * @throws ApiError PGRST202 if there is none, PGRST203 if there are several
 */
export function findRoutine(
  cache: SchemaCache,
  schema: string,
  name: string,
  args: readonly string[],
  body: CallBody,
): Routine {
  const overloads = cache.routines.get(nameKey(schema, name)) ?? [];
  const named = overloads.filter((routine) => takesNamed(routine, args, body));
  if (named.length > 1) throw ambiguousRoutine(named);
  if (named[0]) return named[0];
  const unnamed = overloads.filter((routine) => takesBody(routine, body));
  if (unnamed.length > 1) throw ambiguousRoutine(unnamed);
  if (unnamed[0]) return unnamed[0];
  throw routineNotFound(cache, schema, name, args, body);
}

function takesNamed({ params }: Routine, args: readonly string[], body: CallBody): boolean {
  const isRawBody = body === "text" || body === "xml" || body === "bytes";
  if (params.length === 0) return args.length === 0 && !isRawBody;
  const names = new Set(args);
  if (params.some(({ required, name }) => required && !names.has(name))) return false;
  return args.every((arg) => params.some(({ name }) => name === arg));
}

const bodyTypes: Partial<Record<CallBody, readonly string[]>> = {
  json: ["json", "jsonb"],
  text: ["text"],
  xml: ["xml"],
  bytes: ["bytea"],
};

function takesBody({ params }: Routine, body: CallBody): boolean {
  const [only] = params;
  return params.length === 1 && only?.name === "" && (bodyTypes[body] ?? []).includes(only.type);
}
