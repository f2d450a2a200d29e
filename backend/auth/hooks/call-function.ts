import { type Database, DatabaseError } from "#backend/postgres/database.ts";
import { hookBroken, hookTimedOut, hookTooLong, MAX_ANSWER_BYTES } from "./hook-faults.ts";

const QUERY_CANCELED = "57014";

/**
 * Calls a function with one `json` or `jsonb` parameter, as the service's own role, which needs execute permission;
 * resolves with "" for null.
 */
export async function callFunction(
  { run }: Pick<Database, "run">,
  sqlName: string,
  body: string,
  ms: number,
): Promise<string> {
  const limit = { text: "select set_config('statement_timeout', $1, true)", values: [String(ms)] };
  // A result that is too long is not transferred.
  const call = `
    with hook as materialized (select ${sqlName}($1)::text as answer)
    select octet_length(answer) > ${MAX_ANSWER_BYTES} as is_long,
      case when octet_length(answer) <= ${MAX_ANSWER_BYTES} then answer end as answer
    from hook`;
  const [, [row] = []] = await run([limit, { text: call, values: [body] }]).catch((cause) => {
    if (!(cause instanceof DatabaseError)) throw cause;
    if (cause.code === QUERY_CANCELED) throw hookTimedOut(ms);
    const fault = hookBroken(`Error running hook URI: ${sqlName.replaceAll('"', "")}`);
    throw Object.assign(fault, { cause });
  });
  if (row?.is_long === "t") throw hookTooLong();
  return row?.answer ?? "";
}
