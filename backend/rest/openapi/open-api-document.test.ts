import { expect, test } from "vitest";
import {
  type Column,
  nameKey,
  type Relationship,
  type Routine,
  type SchemaCache,
  type Table,
} from "../schema-cache/types.ts";
import { type OpenApiOptions, openApiDocument } from "./open-api-document.ts";

function column(name: string, type: string, more: Partial<Column> = {}): Column {
  return {
    name,
    type,
    nominalType: type,
    comment: null,
    nullable: true,
    maxLength: null,
    defaultExpression: null,
    enumValues: [],
    representation: null,
    ...more,
  };
}

function table(name: string, columns: Column[], more: Partial<Table> = {}): Table {
  return {
    schema: "api",
    name,
    comment: null,
    isView: false,
    insertable: true,
    updatable: true,
    deletable: true,
    primaryKey: [],
    columns: new Map(columns.map((each) => [each.name, each])),
    computed: new Map(),
    ...more,
  };
}

function routine(name: string, more: Partial<Routine> = {}): Routine {
  return {
    schema: "api",
    name,
    comment: null,
    params: [],
    returns: { isSet: false, kind: "scalar", typeName: null, mediaType: null, isBytes: false },
    volatility: "volatile",
    settings: [],
    ...more,
  };
}

const ships = table(
  "ships",
  [
    column("id", "integer", { nullable: false, defaultExpression: "nextval('ships_id_seq'::regclass)" }),
    column("name", "character varying", { nullable: false, maxLength: 40, comment: "Painted on the bow" }),
    column("rig", "text", { defaultExpression: "'brig'::text", enumValues: ["brig", "sloop"] }),
    column("seaworthy", "boolean", { defaultExpression: "true" }),
    column("launched", "timestamp with time zone", { defaultExpression: "now()" }),
    column("flags", "integer[]"),
    column("log", "jsonb", { defaultExpression: "'{}'::jsonb" }),
    column("harbor_id", "bigint", { comment: "Where she lies" }),
  ],
  { comment: "Ships\n\nAll that float.", primaryKey: ["id"] },
);
const afloat = table("afloat", [column("id", "integer")], {
  insertable: false,
  updatable: false,
  deletable: false,
  isView: true,
});
const berth: Relationship = {
  kind: "key",
  table: ships,
  foreignTable: { schema: "api", name: "harbors" },
  isSelf: false,
  tableIsView: false,
  foreignTableIsView: false,
  cardinality: "many-to-one",
  constraint: "ships_harbor_id_fkey",
  columns: [["harbor_id", "id"]],
  isParent: false,
  junction: null,
};
const sink = routine("sink", {
  comment: "Sink a ship\nShe does not come back.",
  params: [
    { name: "ship", type: "integer", wholeType: "integer", required: true, variadic: false },
    { name: "why", type: "text", wholeType: "text", required: false, variadic: false },
    { name: "by", type: 'api."gun deck"', wholeType: 'api."gun deck"', required: false, variadic: false },
    { name: "how", type: '"Odd".way', wholeType: '"Odd".way', required: false, variadic: false },
    { name: "where", type: "hidden.place", wholeType: "hidden.place", required: false, variadic: false },
  ],
});
const count = routine("count_ships", {
  volatility: "stable",
  params: [{ name: "rigs", type: "text[]", wholeType: "text[]", required: false, variadic: true }],
});

const cache: SchemaCache = {
  tables: new Map([ships, afloat].map((each) => [nameKey("api", each.name), each])),
  relationships: new Map([[nameKey("api", "ships"), [berth]]]),
  routines: new Map([sink, count].map((each) => [nameKey("api", each.name), [each]])),
  mediaHandlers: [],
  roleSettings: new Map(),
  begins: { readOnly: false, isolation: "read committed" },
  schemaComments: new Map([["api", "Harbor API\nEverything afloat."]]),
  fingerprint: "",
};

function describeApi(options: Partial<OpenApiOptions> = {}) {
  return openApiDocument(cache, {
    schema: "api",
    searchPath: ["api", "Odd"],
    visible: "all",
    baseUrl: "http://localhost:3000/",
    security: false,
    ...options,
  });
}

test("tables and functions that the role may not use are not described", () => {
  const document = describeApi({ visible: { tables: new Set(["afloat"]), routines: new Set() } });
  expect(Object.keys(document.paths)).toEqual(["/", "/afloat"]);
  expect(Object.keys(document.definitions)).toEqual(["afloat"]);
  expect(Object.keys(document.parameters)).not.toContain("body.ships");
});

test("another schema's tables are not described", () => {
  expect(Object.keys(describeApi({ schema: "other" }).paths)).toEqual(["/"]);
});

test("a read-only view has no write operations", () => {
  expect(Object.keys(describeApi().paths["/afloat"] ?? {})).toEqual(["get"]);
  expect(Object.keys(describeApi().paths["/ships"] ?? {})).toEqual(["get", "post", "patch", "delete"]);
});

test("reading has a filter per column, and a schema for its rows", () => {
  const get = describeApi().paths["/ships"]?.get;
  expect(get?.parameters).toContainEqual({ $ref: "#/parameters/rowFilter.ships.harbor_id" });
  expect(get?.responses[200]?.schema).toEqual({ type: "array", items: { $ref: "#/definitions/ships" } });
  expect(get).toMatchObject({ summary: "Ships", description: "All that float.", tags: ["ships"] });
});

test("every reference resolves", () => {
  const document = describeApi();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/(\w+)\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, kind, name] of references) {
    expect(document[kind as "parameters" | "definitions"]).toHaveProperty([name as string]);
  }
});

test("a definition has types, formats, limits, defaults and keys", () => {
  const definition = describeApi().definitions.ships;
  expect(definition?.required).toEqual(["id", "name"]);
  expect(definition?.properties).toEqual({
    id: { type: "integer", format: "int32", description: "Note:\nThis is a Primary Key.<pk/>" },
    name: { type: "string", format: "character varying", maxLength: 40, description: "Painted on the bow" },
    rig: { type: "string", format: "text", default: "brig", enum: ["brig", "sloop"] },
    seaworthy: { type: "boolean", format: "boolean", default: true },
    launched: { type: "string", format: "timestamp with time zone", default: "now()" },
    flags: { type: "array", format: "integer[]", items: { type: "integer" } },
    log: { format: "jsonb" },
    harbor_id: {
      type: "integer",
      format: "int64",
      description:
        "Where she lies\n\nNote:\nThis is a Foreign Key to `harbors.id`.<fk table='harbors' column='id'/>",
    },
  });
});

test("a volatile function is called by POST only", () => {
  const path = describeApi().paths["/rpc/sink"];
  expect(Object.keys(path ?? {})).toEqual(["post"]);
  expect(path?.post).toMatchObject({
    summary: "Sink a ship",
    description: "She does not come back.",
    tags: ["(rpc) sink"],
  });
  expect(path?.post?.parameters?.[0]).toMatchObject({
    name: "args",
    in: "body",
    required: true,
    schema: {
      type: "object",
      required: ["ship"],
      properties: { ship: { type: "integer", format: "int32" }, why: { type: "string" } },
    },
  });
});

test("a function's types omit schemas that are on the search path", () => {
  const schema = describeApi().paths["/rpc/sink"]?.post?.parameters?.[0];
  expect(schema).toMatchObject({
    schema: {
      properties: {
        by: { format: '"gun deck"' },
        how: { format: "way" },
        where: { format: "hidden.place" },
      },
    },
  });
});

test("a read-only function can be called by GET, with a variadic argument repeated", () => {
  expect(describeApi().paths["/rpc/count_ships"]?.get?.parameters).toEqual([
    {
      name: "rigs",
      in: "query",
      required: false,
      type: "array",
      collectionFormat: "multi",
      items: { type: "string", format: "text" },
    },
  ]);
});

test("the schema's comment is the document's title", () => {
  expect(describeApi().info).toMatchObject({ title: "Harbor API", description: "Everything afloat." });
});

test.each([
  ["http://localhost:3000/", { host: "localhost:3000", basePath: "/", schemes: ["http"] }],
  ["https://example.com/rest/v1", { host: "example.com:443", basePath: "/rest/v1", schemes: ["https"] }],
  ["http://example.com", { host: "example.com:80", basePath: "/", schemes: ["http"] }],
])("the document's location is derived from %s", (baseUrl, location) => {
  expect(describeApi({ baseUrl })).toMatchObject(location);
});

test("security is described only if enabled", () => {
  expect(describeApi()).not.toHaveProperty("security");
  expect(describeApi({ security: true })).toMatchObject({
    security: [{ JWT: [] }],
    securityDefinitions: { JWT: { in: "header" } },
  });
});

test("integers have OpenAPI's formats, alone and repeated, and integer arrays PostgreSQL's", () => {
  const types = ["smallint", "integer", "bigint", "bigint[]"];
  const columns = types.map((type) => column(type, type));
  const params = types.map((type) => ({
    name: type,
    type,
    wholeType: type,
    required: true,
    variadic: type === "bigint[]",
  }));
  const document = openApiDocument(
    {
      ...cache,
      tables: new Map([[nameKey("api", "sizes"), table("sizes", columns)]]),
      routines: new Map([[nameKey("api", "size"), [routine("size", { volatility: "immutable", params })]]]),
    },
    { schema: "api", searchPath: [], visible: "all", baseUrl: "http://localhost/", security: false },
  );
  const formats = Object.values(document.definitions.sizes?.properties ?? {}).map(({ format }) => format);
  expect(formats).toEqual(["int32", "int32", "int64", "bigint[]"]);
  expect(document.paths["/rpc/size"]?.get?.parameters).toMatchObject([
    { type: "integer", format: "int32" },
    { type: "integer", format: "int32" },
    { type: "integer", format: "int64" },
    { type: "array", items: { type: "integer", format: "int64" } },
  ]);
});

test("a preference without choices lists none", () => {
  expect(describeApi().parameters.preferParams).not.toHaveProperty("enum");
});
