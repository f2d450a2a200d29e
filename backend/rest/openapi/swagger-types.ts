/** The parts of an OpenAPI 2.0 document ("Swagger") that this service writes. */
export type SwaggerDocument = {
  swagger: "2.0";
  info: { title: string; description: string; version: string };
  host: string;
  basePath: string;
  schemes: ["http" | "https"];
  consumes: string[];
  produces: string[];
  paths: Record<string, PathItem>;
  definitions: Record<string, Schema>;
  parameters: Record<string, Parameter>;
  externalDocs: { description: string; url: string };
  securityDefinitions?: Record<string, { type: "apiKey"; name: string; in: "header"; description: string }>;
  security?: Record<string, string[]>[];
};

export type SwaggerType = "string" | "boolean" | "integer" | "number" | "array" | "object";

export type Schema = {
  type?: SwaggerType;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  maxLength?: number;
  items?: { type?: SwaggerType } | Reference;
  required?: string[];
  properties?: Record<string, Schema>;
};

export type Reference = { $ref: string };

export type Parameter = {
  name: string;
  in: "query" | "header" | "body";
  required: boolean;
  description?: string;
  type?: SwaggerType;
  format?: string;
  enum?: string[];
  default?: string;
  items?: { type?: SwaggerType; format: string };
  collectionFormat?: "multi";
  schema?: Schema | Reference;
};

export type Operation = {
  tags: string[];
  summary?: string;
  description?: string;
  produces?: string[];
  parameters?: (Parameter | Reference)[];
  responses: Record<string, { description: string; schema?: Schema }>;
};

export type PathItem = { get?: Operation; post?: Operation; patch?: Operation; delete?: Operation };

export function parameterReference(name: string): Reference {
  return { $ref: `#/parameters/${name}` };
}

/** The first line of a comment is the summary, the rest (after blank lines) the description. */
export function splitComment(comment: string | null): { summary?: string; description?: string } {
  if (comment === null) return {};
  const end = comment.indexOf("\n");
  if (end < 0) return { summary: comment };
  const description = comment.slice(end).replace(/^\n+/, "");
  return { summary: comment.slice(0, end), ...(description !== "" && { description }) };
}
