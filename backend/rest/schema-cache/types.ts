/** The service's knowledge of the database: read from the system catalog, replaced as a whole, never modified. */
export type SchemaCache = {
  /** Tables, views, materialized views, foreign and partitioned tables of the exposed schemas; no partitions. */
  tables: ReadonlyMap<NameKey, Table>;
  /** Relationships by source table; only those with both ends in the same exposed schema. */
  relationships: ReadonlyMap<NameKey, readonly Relationship[]>;
  /** Functions by schema and name; several entries are overloads. */
  routines: ReadonlyMap<NameKey, readonly Routine[]>;
  /** Aggregates that render a media type. */
  mediaHandlers: readonly MediaHandler[];
  /** Settings from `alter role … set …` that a session may change: name → value. */
  roleSettings: ReadonlyMap<string, readonly (readonly [name: string, value: string])[]>;
  /** How transactions begin unless they say otherwise (`default_transaction_read_only` and `…_isolation`). */
  begins: { readOnly: boolean; isolation: string };
  /** `comment on schema`, by schema name: "title\ndescription" for the OpenAPI document. */
  schemaComments: ReadonlyMap<string, string>;
  /** Changes whenever a table, column, key, function or comment of the exposed schemas changes. */
  fingerprint: string;
};

/** `nameKey(schema, name)`: a map key that is unambiguous for any names. */
export type NameKey = string & { readonly brand: "NameKey" };

export function nameKey(schema: string, name: string): NameKey {
  return `${schema}\u0000${name}` as NameKey;
}

export type QualifiedName = { schema: string; name: string };

export type Table = QualifiedName & {
  comment: string | null;
  isView: boolean;
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
  /** In key order; a view has its base table's if it exposes them all. */
  primaryKey: readonly string[];
  /** In the table's order. */
  columns: ReadonlyMap<string, Column>;
  /** Computed fields, selected and filtered like columns: name → type. */
  computed: ReadonlyMap<string, string>;
};

export type Column = {
  name: string;
  comment: string | null;
  nullable: boolean;
  /** In the format of `format_type`, with domains resolved to their base type: `character varying`, `integer[]`. */
  type: string;
  /** As declared, with domain name and length, as needed in a cast. */
  nominalType: string;
  maxLength: number | null;
  /** The default as SQL; `nextval` for identity columns; null for generated ones. */
  defaultExpression: string | null;
  /** Labels of an enum type, in order; otherwise empty. */
  enumValues: readonly string[];
  /** Null if the column uses PostgreSQL's own representation. */
  representation: Representation | null;
};

/** SQL names of the cast functions between a domain and json or text; null where there is no such cast. */
type Representation = { toJson: string | null; fromJson: string | null; fromText: string | null };

/** An aggregate over rows whose result type is a domain named like a media type: it serves requests for that type. */
export type MediaHandler = {
  mediaType: string;
  aggregate: QualifiedName;
  /** The table whose rows it takes; null for any. */
  rowType: QualifiedName | null;
  isBytes: boolean;
};

type Cardinality = "many-to-one" | "one-to-many" | "one-to-one" | "many-to-many";

export type Relationship = KeyRelationship | ComputedRelationship;

/** Embedding over foreign keys. */
export type KeyRelationship = {
  kind: "key";
  table: QualifiedName;
  foreignTable: QualifiedName;
  isSelf: boolean;
  tableIsView: boolean;
  foreignTableIsView: boolean;
  cardinality: Cardinality;
  /** Name of the foreign key; for a junction, of the one to `table`. */
  constraint: string;
  /** Pairs [column of table, column of foreignTable]; empty for many-to-many. */
  columns: readonly (readonly [string, string])[];
  /** For one-to-one: whether `table` is the referenced side, and `foreignTable` has the foreign key. */
  isParent: boolean;
  junction: Junction | null;
};

type Junction = {
  table: QualifiedName;
  constraint: string;
  foreignConstraint: string;
  /** Pairs [column of `table`, column of the junction]. */
  sourceColumns: readonly (readonly [string, string])[];
  /** Pairs [column of `foreignTable`, column of the junction]. */
  targetColumns: readonly (readonly [string, string])[];
};

/** Embedding over a function that takes a row of `table`. */
export type ComputedRelationship = {
  kind: "computed";
  table: QualifiedName;
  foreignTable: QualifiedName;
  function: QualifiedName;
  /** Returns at most one row (`rows 1`, or not a set). */
  toOne: boolean;
};

export type Routine = QualifiedName & {
  comment: string | null;
  params: readonly RoutineParam[];
  returns: RoutineReturn;
  volatility: "volatile" | "stable" | "immutable";
  /** Transaction settings attached to the function (`set statement_timeout`, `set default_transaction_isolation`). */
  settings: readonly (readonly [name: string, value: string])[];
};

export type RoutineParam = {
  name: string;
  /** In the format of `format_type`; an array type for a variadic parameter. */
  type: string;
  /** The type without a length, since plain `character` and `bit` imply length 1: arguments are never truncated. */
  wholeType: string;
  required: boolean;
  variadic: boolean;
};

export type RoutineReturn = {
  isSet: boolean;
  kind: "void" | "scalar" | "composite";
  /** The table or composite type of the row type; null for scalars and `returns table(…)`/out parameters. */
  typeName: QualifiedName | null;
  /** Name of the domain if the function returns a media type, such as `text/plain`. */
  mediaType: string | null;
  isBytes: boolean;
};

export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === "computed") return relationship.toOne;
  return relationship.cardinality === "many-to-one" || relationship.cardinality === "one-to-one";
}
