import { randomUUID } from "node:crypto";
import { AuthError, validationFailed } from "../../auth-error.ts";
import {
  type Application,
  findApplication,
  makeSecret,
  toApplicationJson,
} from "../../oauth-server/application.ts";
import {
  ApplicationBody,
  type ApplicationColumns,
  readChange,
  readRegistration,
} from "../../oauth-server/application-fields.ts";
import { removeApplication } from "../../oauth-server/consent.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody } from "../../requests/read-body.ts";
import type { AdminCall } from "../../requests/require-admin.ts";
import { isUuid } from "../../requests/uuid.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { pageHeaders, readPage } from "../admin/paging.ts";

/** GET /admin/oauth/clients: a page of all applications, newest first. */
export async function listApplications(call: AdminCall, service: AuthService): Promise<Reply> {
  const { page, perPage } = readPage(call.query);
  const { query } = service.database;
  const [rows, [row]] = await Promise.all([
    query(
      `select * from auth.oauth_clients where deleted_at is null order by created_at desc, id
       limit ${perPage} offset ${(page - 1) * perPage}`,
    ),
    query("select count(*) from auth.oauth_clients where deleted_at is null"),
  ]);
  return {
    status: 200,
    body: { clients: rows.map((found) => toApplicationJson(found as Application)), aud: "authenticated" },
    headers: pageHeaders("/admin/oauth/clients", {}, { page, perPage, total: Number(row?.count) }),
  };
}

/** POST /admin/oauth/clients: the secret appears only in this response. */
export async function createApplication(call: AdminCall, service: AuthService): Promise<Reply> {
  const { row, secret } = await insertApplication(call, service, "manual");
  return { status: 201, body: toApplicationJson(row, secret) };
}

/** POST /oauth/clients/register: an application registers itself (RFC 7591), if allowed. */
export async function registerApplication(call: Call, service: AuthService): Promise<Reply> {
  const { config, limits } = service;
  if (!config.oauthRegistration) {
    const message = "Dynamic client registration is not enabled";
    throw new AuthError(403, "oauth_dynamic_client_registration_disabled", message);
  }
  await limits.take("oauthRegister", call.client.network);
  const { row, secret } = await insertApplication(call, service, "dynamic");
  const issuedAt = Math.floor(Date.now() / 1000);
  const issued = { client_id_issued_at: issuedAt, ...(secret !== null && { client_secret_expires_at: 0 }) };
  return { status: 201, body: { ...toApplicationJson(row, secret), ...issued } };
}

async function insertApplication(
  { request }: Call,
  { database }: AuthService,
  registration: "manual" | "dynamic",
): Promise<{ row: Application; secret: string | null }> {
  const columns = readRegistration(readBody(request, ApplicationBody));
  const made = columns.client_type === "confidential" ? makeSecret() : null;
  const entries = Object.entries({
    ...columns,
    id: randomUUID(),
    registration_type: registration,
    client_secret_hash: made?.hash ?? null,
  });
  const [row] = await database.query(
    `insert into auth.oauth_clients (${entries.map(([name]) => name).join(", ")})
     values (${entries.map((_, index) => `$${index + 1}`).join(", ")}) returning *`,
    entries.map(([, value]) => value),
  );
  return { row: row as Application, secret: made?.secret ?? null };
}

/** GET /admin/oauth/clients/{id} */
export async function getApplication(call: AdminCall, service: AuthService): Promise<Reply> {
  return { status: 200, body: toApplicationJson(await requireApplication(call, service)) };
}

/**
 * PUT /admin/oauth/clients/{id}: changes the fields in the body; pending requests whose redirect URI was removed
 * expire.
 */
export async function changeApplication(call: AdminCall, service: AuthService): Promise<Reply> {
  const application = await requireApplication(call, service);
  const fields = readBody(call.request, ApplicationBody);
  const columns = readChange(fields, application.client_type ?? "");
  if (Object.keys(columns).length === 0) throw validationFailed("No fields provided for update");
  const changed = await service.database.transaction(async (query) => {
    const row = await updateApplication(query, application.id, columns);
    await query(
      `update auth.oauth_authorizations set status = 'expired'
       where client_id = $1 and status in ('pending', 'approved') and redirect_uri <> all (string_to_array($2, ','))`,
      [application.id, row.redirect_uris ?? ""],
    );
    return row;
  });
  return { status: 200, body: toApplicationJson(changed) };
}

async function updateApplication(
  query: AuthService["database"]["query"],
  id: string,
  columns: ApplicationColumns & { client_secret_hash?: string },
): Promise<Application> {
  const entries = Object.entries(columns);
  const assignments = entries.map(([name], index) => `${name} = $${index + 2}`).join(", ");
  const [row] = await query(
    `update auth.oauth_clients set ${assignments}, updated_at = now() where id = $1 and deleted_at is null returning *`,
    [id, ...entries.map(([, value]) => value)],
  );
  if (!row) throw notFound();
  return row as Application;
}

/** DELETE /admin/oauth/clients/{id}: also ends its sessions and grants. */
export async function deleteApplication(call: AdminCall, service: AuthService): Promise<Reply> {
  const { id } = await requireApplication(call, service);
  await service.database.transaction((query) => removeApplication(query, id));
  return { status: 204 };
}

/** POST /admin/oauth/clients/{id}/regenerate_secret: the previous secret becomes invalid. */
export async function regenerateSecret(call: AdminCall, service: AuthService): Promise<Reply> {
  const { id, client_type: type } = await requireApplication(call, service);
  if (type !== "confidential") throw validationFailed("Cannot regenerate secret for public client");
  const { secret, hash } = makeSecret();
  const row = await updateApplication(service.database.query, id, { client_secret_hash: hash });
  return { status: 200, body: toApplicationJson(row, secret) };
}

async function requireApplication(call: AdminCall, service: AuthService): Promise<Application> {
  const { id = "" } = call.params;
  if (!isUuid(id)) throw validationFailed("invalid client_id format");
  const application = await findApplication(service.database.query, id);
  if (!application) throw notFound();
  return application;
}

const notFound = () => new AuthError(404, "oauth_client_not_found", "OAuth client not found");
