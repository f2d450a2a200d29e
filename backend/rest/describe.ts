import type { HttpResponse } from "#backend/http/http-message.ts";
import { originOf } from "#backend/http/split-address.ts";
import { openApiDocument } from "./openapi/open-api-document.ts";
import { readVisibleNames, visibleNamesStep } from "./openapi/visible-names.ts";
import { notAcceptable } from "./plan/negotiate.ts";
import { requireTable } from "./plan/schema-errors.ts";
import type { PreparedRequest } from "./prepare/prepare.ts";
import type { Action } from "./request/parse-request.ts";
import type { RunContext } from "./run-context.ts";
import { nameKey, type SchemaCache, type Table } from "./schema-cache/types.ts";
import { searchedSchemas, settingsSteps } from "./sql/settings-step.ts";

type OptionsAction = Extract<Action, { kind: "options-table" | "options-routine" | "options-root" }>;

/** @throws ApiError PGRST202, 205 */
export function respondToOptions(action: OptionsAction, schema: string, cache: SchemaCache): HttpResponse {
  return { status: 200, headers: { allow: allowedMethods(action, schema, cache) }, body: "" };
}

function allowedMethods(action: OptionsAction, schema: string, cache: SchemaCache): string {
  if (action.kind === "options-root") return "OPTIONS,GET,HEAD";
  if (action.kind === "options-routine") return routineMethods(action.routine, schema, cache);
  return tableMethods(requireTable(cache, schema, action.table));
}

function tableMethods({ insertable, updatable, deletable, primaryKey }: Table): string {
  const methods = ["OPTIONS,GET,HEAD"];
  if (insertable) methods.push("POST");
  if (insertable && updatable && primaryKey.length > 0) methods.push("PUT");
  if (updatable) methods.push("PATCH");
  if (deletable) methods.push("DELETE");
  return methods.join(",");
}

function routineMethods(name: string, schema: string, cache: SchemaCache): string {
  const overloads = cache.routines.get(nameKey(schema, name)) ?? [];
  const readable = overloads.some(({ volatility }) => volatility !== "volatile");
  return readable || overloads.length === 0 ? "OPTIONS,GET,HEAD,POST" : "OPTIONS,POST";
}

const described = new Set(["application/openapi+json", "application/json", "*/*", "application/*"]);

/** The OpenAPI document of a schema, limited to what the role may use. */
export async function describeRoot(
  { accept, schema, profiled, headersOnly }: Extract<PreparedRequest, { kind: "describe" }>,
  context: RunContext,
): Promise<HttpResponse> {
  if (!accept.some(({ name }) => described.has(name))) throw notAcceptable(accept);
  context.timing?.begin("transaction");
  const headers: Record<string, string> = { "content-type": "application/openapi+json; charset=utf-8" };
  if (profiled) headers["content-profile"] = schema;
  const { cache, config, request } = context;
  const document = headersOnly
    ? null
    : openApiDocument(cache, {
        schema,
        searchPath: searchedSchemas(schema, config),
        visible: config.openapi === "ignore-privileges" ? "all" : await visibleNames(schema, context),
        baseUrl: config.openapiUrl ?? originOf(request) + config.basePath,
        security: config.openapiSecurity,
      });
  context.timing?.begin("response");
  return { status: 200, headers, body: document && JSON.stringify(document) };
}

async function visibleNames(schema: string, context: RunContext) {
  const settings = settingsSteps(context, { schema, readOnly: true, timezone: null, routine: null });
  return readVisibleNames(await context.database.batch([...settings, visibleNamesStep(schema)]));
}
