import { apiError } from "../api-error.ts";
import type { Placed, RestQuery, RowRange, SelectItem } from "../query/query-types.ts";
import { isGrouped, outputName, type ReadPlan, sourceName, spreadsMany } from "../query/read-plan.ts";
import { isToOne, nameKey, type QualifiedName, type SchemaCache, type Table } from "../schema-cache/types.ts";
import { expandStars } from "./expand-stars.ts";
import { findRelationship } from "./find-relationship.ts";

export type ReadPlanOptions = {
  cache: SchemaCache;
  /** The table that is read, or whose relationships apply to the rows of a write or call. */
  target: QualifiedName;
  /** Set for writes and calls, whose rows come from the statement's own source. */
  fromSource: boolean;
  /** The root's filters and range apply to reads and calls, but not to the rows a write returns. */
  rootConditions: boolean;
  /** Maximum number of rows per resource; null for no limit. */
  maxRows: number | null;
  aggregates: boolean;
  /** Whether filters, order and range may refer to an aliased resource by its table name. */
  legacyTargetNames: boolean;
};

/** A read plan, and the embedded resources that the query referred to by table name instead of alias. */
export type PlannedRead = { plan: ReadPlan; legacyNames: { name: string; alias: string }[] };

/** @throws ApiError PGRST108, 118, 120, 123, 127, 200, 201 */
export function planRead(query: RestQuery, options: ReadPlanOptions): PlannedRead {
  const plan = rootPlan(options);
  addItems(plan, query.select, options);
  const legacyNames: PlannedRead["legacyNames"] = [];
  const place = <T>(list: Placed<T>[], atRoot: boolean, use: (node: ReadPlan, value: T) => void) => {
    for (const { path, value } of list) {
      if (path.length > 0 || atRoot) use(findNode(plan, path, options, legacyNames), value);
    }
  };
  const { rootConditions } = options;
  place(query.filters, rootConditions, (node, filter) => node.where.push({ kind: "filter", filter }));
  place(query.logic, rootConditions, (node, tree) => node.where.push(tree));
  place(query.order, true, (node, terms) => node.order.push(...terms));
  place(query.ranges, rootConditions, (node, range) => Object.assign(node.range, range));
  checkNode(plan, options);
  expandStars(plan);
  return { plan, legacyNames };
}

function rootPlan({ cache, target, fromSource }: ReadPlanOptions): ReadPlan {
  const table = cache.tables.get(nameKey(target.schema, target.name)) ?? null;
  const sqlName = fromSource ? { schema: "", name: target.name } : target;
  return emptyPlan({
    from: fromSource ? sourceName : target,
    sqlName,
    table,
    name: target.name,
    alias: null,
    depth: 0,
  });
}

function emptyPlan(
  head: Pick<ReadPlan, "from" | "sqlName" | "table" | "name" | "alias" | "depth">,
): ReadPlan {
  return {
    select: [],
    where: [],
    order: [],
    range: { offset: 0, limit: null },
    link: null,
    children: [],
    ...head,
  };
}

function addItems(plan: ReadPlan, items: readonly SelectItem[], options: ReadPlanOptions): void {
  for (const item of items) {
    if (item.kind === "field") plan.select.push(item);
    else plan.children.push(childPlan(plan, item, options));
  }
}

function childPlan(
  parent: ReadPlan,
  item: Extract<SelectItem, { kind: "embed" }>,
  options: ReadPlanOptions,
): ReadPlan {
  const { cache, target } = options;
  const origin = parent.table?.name ?? parent.name;
  const relationship = findRelationship(cache, target.schema, origin, item.name, item.hint);
  const depth = parent.depth + 1;
  const from = relationship.foreignTable;
  const child = emptyPlan({
    from,
    // One table may be embedded several times, side by side or nested: the number keeps the names distinct.
    sqlName: { schema: "", name: `${from.name.length > 40 ? "embedded" : from.name}_${depth}` },
    table: cache.tables.get(nameKey(from.schema, from.name)) as Table,
    name: item.name,
    alias: item.alias,
    depth,
  });
  child.link = {
    relationship,
    join: item.join ?? "left",
    spread: item.spread,
    joinName: `${parent.link?.joinName ?? "pgrst_embed"}_${parent.children.length}`,
    parentSqlName: parent.sqlName,
    parentIsSource: parent.from === sourceName,
  };
  addItems(child, item.items, options);
  return child;
}

function findNode(
  root: ReadPlan,
  path: string[],
  { legacyTargetNames }: ReadPlanOptions,
  legacyNames: PlannedRead["legacyNames"],
): ReadPlan {
  let node = root;
  for (const step of path) {
    let child = node.children.find((candidate) => outputName(candidate) === step);
    if (!child) {
      const aliased = node.children.find((candidate) => candidate.name === step);
      if (!aliased || !legacyTargetNames) throw notEmbedded(step, aliased);
      if (!legacyNames.some(({ alias }) => alias === aliased.alias)) {
        legacyNames.push({ name: aliased.name, alias: aliased.alias as string });
      }
      child = aliased;
    }
    node = child;
  }
  return node;
}

function notEmbedded(name: string, aliased?: ReadPlan) {
  return apiError(
    400,
    "PGRST108",
    `'${name}' is not an embedded resource in this request`,
    aliased ? "Target names are not allowed in filters if they have an alias" : null,
    aliased
      ? `Change '${name}' to '${aliased.alias}' in filters, orders or limits.`
      : `Verify that '${name}' is included in the 'select' query parameter.`,
  );
}

function checkNode(node: ReadPlan, options: ReadPlanOptions): void {
  node.range = restrictRange(node.range, options);
  checkOrder(node);
  checkAggregates(node, options);
  for (const child of node.children) checkNode(child, options);
}

function restrictRange(range: RowRange, { maxRows, rootConditions }: ReadPlanOptions): RowRange {
  // Rows returned by a write are not limited: the client must see all rows it changed.
  if (maxRows === null || !rootConditions) return range;
  return { offset: range.offset, limit: Math.min(range.limit ?? maxRows, maxRows) };
}

function checkOrder(node: ReadPlan): void {
  for (const { relation } of node.order) {
    if (relation === null) continue;
    const child = node.children.find((candidate) => outputName(candidate) === relation);
    if (!child) throw notEmbedded(relation);
    if (child.link && !isToOne(child.link.relationship)) throw orderNotToOne(node.name, relation);
  }
}

function orderNotToOne(origin: string, target: string) {
  return apiError(
    400,
    "PGRST118",
    `A related order on '${target}' is not possible`,
    `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  );
}

function checkAggregates(node: ReadPlan, { aggregates }: ReadPlanOptions): void {
  if (!isGrouped(node)) return;
  if (!aggregates) throw apiError(400, "PGRST123", "Use of aggregate functions is not allowed");
  if (!spreadsMany(node)) return;
  const why = "Aggregates are not implemented for one-to-many or many-to-many spreads.";
  throw apiError(400, "PGRST127", "Feature not implemented", why);
}
