import { type Field, type LogicTree, plainField } from "../query/query-types.ts";
import { isGrouped, type ReadPlan, type SelectedField, sourceName } from "../query/read-plan.ts";
import type { Table } from "../schema-cache/types.ts";

/** Expands `*` if columns need expressions of their own, or if the source has additional columns. */
export function expandStars(node: ReadPlan): void {
  const { table } = node;
  const isImplicit = node.link === null && node.select.length === 0 && node.children.length === 0;
  if (table && needsColumns(node, table)) {
    const columns = [...table.columns.keys()].map(plainField);
    node.select = isImplicit
      ? columns
      : node.select.flatMap((selected) => (isStar(selected) ? columns : [selected]));
  }
  node.children.forEach(expandStars);
}

function isStar({ field, aggregate }: SelectedField): boolean {
  return field.name === "*" && aggregate === null;
}

function needsColumns(node: ReadPlan, table: Table): boolean {
  if (node.link?.spread || isGrouped(node) || carriesMore(node, table)) return true;
  return [...table.columns.values()].some(({ representation }) => representation?.toJson);
}

/**
 * Whether the source rows of a write or call have more columns than the table: computed ones, or the row as one value.
 */
function carriesMore(node: ReadPlan, table: Table): boolean {
  if (node.from !== sourceName) return false;
  return needsSelf(node) || fieldsOf(node).some(({ name }) => table.computed.has(name));
}

/** Computed relationships are functions of the whole row. */
export function needsSelf({ children }: ReadPlan): boolean {
  return children.some(({ link }) => link?.relationship.kind === "computed");
}

/** All fields of the resource itself in its select, filters and order. */
export function fieldsOf({ select, where, order }: ReadPlan): Field[] {
  const ordered = order.filter(({ relation }) => relation === null);
  return [...select, ...ordered].map(({ field }) => field).concat(where.flatMap(fieldsOfTree));
}

function fieldsOfTree(tree: LogicTree): Field[] {
  return tree.kind === "filter" ? [tree.filter.field] : tree.children.flatMap(fieldsOfTree);
}
