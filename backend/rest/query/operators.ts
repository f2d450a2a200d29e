type Rule =
  | { kind: "compare"; sql: string; quantified?: true; takesPattern?: true }
  | { kind: "search"; sql: string }
  | { kind: "in" }
  | { kind: "is" }
  | { kind: "distinct" };

/** All filter operators: parsing, SQL and plan sharing all derive from this table. */
export const operators = {
  eq: { kind: "compare", sql: "=", quantified: true },
  neq: { kind: "compare", sql: "<>" },
  gt: { kind: "compare", sql: ">", quantified: true },
  gte: { kind: "compare", sql: ">=", quantified: true },
  lt: { kind: "compare", sql: "<", quantified: true },
  lte: { kind: "compare", sql: "<=", quantified: true },
  like: { kind: "compare", sql: "LIKE", quantified: true, takesPattern: true },
  ilike: { kind: "compare", sql: "ILIKE", quantified: true, takesPattern: true },
  match: { kind: "compare", sql: "~", quantified: true },
  imatch: { kind: "compare", sql: "~*", quantified: true },
  cs: { kind: "compare", sql: "@>" },
  cd: { kind: "compare", sql: "<@" },
  ov: { kind: "compare", sql: "&&" },
  sl: { kind: "compare", sql: "<<" },
  sr: { kind: "compare", sql: ">>" },
  nxr: { kind: "compare", sql: "&<" },
  nxl: { kind: "compare", sql: "&>" },
  adj: { kind: "compare", sql: "-|-" },
  fts: { kind: "search", sql: "@@ to_tsquery" },
  plfts: { kind: "search", sql: "@@ plainto_tsquery" },
  phfts: { kind: "search", sql: "@@ phraseto_tsquery" },
  wfts: { kind: "search", sql: "@@ websearch_to_tsquery" },
  in: { kind: "in" },
  is: { kind: "is" },
  isdistinct: { kind: "distinct" },
} as const satisfies Record<string, Rule>;

type OperatorName = keyof typeof operators;
export type OperatorKind = Rule["kind"];
export type OperatorOf<Kind extends OperatorKind> = {
  [Name in OperatorName]: (typeof operators)[Name]["kind"] extends Kind ? Name : never;
}[OperatorName];

/** A row of the table with its name. */
type Operator = {
  [Kind in OperatorKind]: Extract<Rule, { kind: Kind }> & { name: OperatorOf<Kind> };
}[OperatorKind];

const byName = new Map(
  Object.entries(operators).map(([name, rule]) => [name, { name, ...rule } as Operator]),
);

export function findOperator(name: string): Operator | null {
  return byName.get(name) ?? null;
}
