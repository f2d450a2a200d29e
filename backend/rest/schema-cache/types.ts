/** What the service knows of the database: read from its catalogue, replaced as a whole, never changed in place. */
export type SchemaCache = {
  /** Tables, views, materialized views, foreign and partitioned tables of the exposed schemas; no partitions. */
  tables: ReadonlyMap<NameKey, Table>;
  /** Relationships by the table they start from; only those whose both ends are in one exposed schema. */
  relationships: ReadonlyMap<NameKey, readonly Relationship[]>;
  /** Functions by schema and name; several entries are overloads. */
  routines: ReadonlyMap<NameKey, readonly Routine[]>;
  /** Aggregates that give a media type of their own. */
  mediaHandlers: readonly MediaHandler[];
  /** Settings that `alter role … set …` gave to a role and that a session may change: name → value. */
  roleSettings: ReadonlyMap<string, readonly (readonly [name: string, value: string])[]>;
  /** `comment on schema`, by schema name: "title\ndescription" for the OpenAPI document. */
  schemaComments: ReadonlyMap<string, string>;
  /** Changes whenever a table, column, key, function or comment of the exposed schemas changes. */
  fingerprint: string;
};

/** `nameKey(schema, name)`: a map key that no pair of odd names can forge. */
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
  /** In key order; a view has those of its base table when it shows them all. */
  primaryKey: readonly string[];
  /** In the table's order. */
  columns: ReadonlyMap<string, Column>;
  /** Functions of one row that are selected and filtered like columns: name → type. */
  computed: ReadonlyMap<string, string>;
};

export type Column = {
  name: string;
  comment: string | null;
  nullable: boolean;
  /** As `format_type` writes it, domains resolved to their base type: `character varying`, `integer[]`. */
  type: string;
  /** As declared, with domain name and length: what a cast needs. */
  nominalType: string;
  maxLength: number | null;
  /** The default as SQL text; identity columns have `nextval`; generated ones none. */
  defaultExpression: string | null;
  /** Labels of an enumerated type, in order; else empty. */
  enumValues: readonly string[];
  /** Null for a column that is shown and taken as PostgreSQL writes it. */
  representation: Representation | null;
};

/** Functions, as SQL names them, of the casts between a domain and json or text; null where there is no such cast. */
type Representation = { toJson: string | null; fromJson: string | null; fromText: string | null };

/** An aggregate over rows whose result is a domain named like a media type: it answers requests for that type. */
export type MediaHandler = {
  mediaType: string;
  aggregate: QualifiedName;
  /** Whose rows it takes; null for those of any. */
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
  /** Name of the foreign key; of a junction, the one toward `table`. */
  constraint: string;
  /** Pairs [column of table, column of foreignTable]; empty for many-to-many. */
  columns: readonly (readonly [string, string])[];
  /** For one-to-one: whether `table` holds the foreign key. */
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
  /** Returns one row at most (`rows 1`, or not a set). */
  toOne: boolean;
};

export type Routine = QualifiedName & {
  comment: string | null;
  params: readonly RoutineParam[];
  returns: RoutineReturn;
  volatility: "volatile" | "stable" | "immutable";
  /** Transaction settings the function carries itself (`set statement_timeout`, `set default_transaction_isolation`). */
  settings: readonly (readonly [name: string, value: string])[];
};

export type RoutineParam = {
  name: string;
  /** As `format_type` writes it; an array type for a variadic parameter. */
  type: string;
  /** The type without a length, which `character` and `bit` have where none is said: an argument is never cut. */
  wholeType: string;
  required: boolean;
  variadic: boolean;
};

export type RoutineReturn = {
  isSet: boolean;
  kind: "void" | "scalar" | "composite";
  /** The row type's own table or composite type; null for scalars and `returns table(…)`/out parameters. */
  typeName: QualifiedName | null;
  /** Name of the domain where the function returns a media type, such as `text/plain`. */
  mediaType: string | null;
  isBytes: boolean;
};

export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === "computed") return relationship.toOne;
  return relationship.cardinality === "many-to-one" || relationship.cardinality === "one-to-one";
}
