import { type KeyRelationship, nameKey, type Relationship, type SchemaCache } from "../schema-cache/types.ts";
import { ambiguousRelationship, relationshipNotFound } from "./schema-errors.ts";

/**
 * The only relationship from `origin` matching `target!hint`.
 * @throws ApiError PGRST200 if there is none, PGRST201 if there are several
 */
export function findRelationship(
  cache: SchemaCache,
  schema: string,
  origin: string,
  target: string,
  hint: string | null,
): Relationship {
  const known = cache.relationships.get(nameKey(schema, origin)) ?? [];
  const computed = known.find(
    (relationship) => relationship.kind === "computed" && relationship.function.name === target,
  );
  if (computed) return computed;
  const found = known.filter(
    (relationship) => relationship.kind === "key" && matches(relationship, target, hint),
  );
  if (found.length > 1) throw ambiguousRelationship(origin, target, found);
  if (!found[0]) throw relationshipNotFound(cache, schema, origin, target, hint);
  return found[0];
}

function matches(relationship: KeyRelationship, target: string, hint: string | null): boolean {
  if (relationship.isSelf) return matchesSelf(relationship, target, hint);
  const namesTable = target === relationship.foreignTable.name;
  if (hint !== null) return namesTable && matchesHint(relationship, hint);
  if (namesTable) return true;
  if (relationship.foreignTableIsView) return false;
  return isConstraint(relationship, target) || ownColumn(relationship) === target;
}

// A self-reference: the table's name selects the to-many side, the key column's name the to-one side.
function matchesSelf(relationship: KeyRelationship, target: string, hint: string | null): boolean {
  const namesTable = target === relationship.foreignTable.name;
  const toMany = relationship.cardinality === "one-to-many";
  if (hint !== null) return namesTable && toMany && foreignColumn(relationship) === hint;
  if (namesTable) return toMany;
  return relationship.cardinality === "many-to-one" && ownColumn(relationship) === target;
}

function matchesHint(relationship: KeyRelationship, hint: string): boolean {
  if (relationship.junction) return relationship.junction.table.name === hint;
  return (
    isConstraint(relationship, hint) ||
    ownColumn(relationship) === hint ||
    foreignColumn(relationship) === hint
  );
}

function isConstraint(relationship: KeyRelationship, name: string): boolean {
  return relationship.junction === null && relationship.constraint === name;
}

function ownColumn({ columns }: KeyRelationship): string | null {
  return columns.length === 1 ? (columns[0]?.[0] ?? null) : null;
}

function foreignColumn({ columns }: KeyRelationship): string | null {
  return columns.length === 1 ? (columns[0]?.[1] ?? null) : null;
}
