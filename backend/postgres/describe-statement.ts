import { fromOperator, logText } from "#backend/log/log-text.ts";
import type { SpanFacts } from "#backend/log/traced.ts";
import type { Step } from "./batch.ts";

const OPERATION = /\b(select|insert|update|delete|begin|commit|rollback|call|notify|listen|refresh)\b/i;

/**
 * Describes a batch by its last statement's operation, without its text, which may contain user-chosen column names.
 */
export function describeStatements(steps: readonly Step[], client: string): SpanFacts {
  const [found = "other"] = OPERATION.exec(steps.at(-1)?.text ?? "") ?? [];
  const operation = fromOperator(found.toUpperCase());
  return {
    name: logText`${operation} ${fromOperator(client)}`,
    facts: {
      "db.system.name": fromOperator("postgresql"),
      "db.operation.name": operation,
      ...(steps.length > 1 && { "db.operation.batch.size": steps.length }),
    },
  };
}
