import { connectDatabase, type Database, type Step } from "#backend/postgres/database.ts";
import { createRest } from "#backend/rest/create-rest.ts";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { loadCatalogue } from "#server/database/load-catalogue.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { type Comparison, type Contestant, compare, type Effort } from "./compare.ts";
import { compareLargeBody } from "./large-body.ts";
import { startPostgrest } from "./servers/start-postgrest.ts";
import { type StartedServer, startServer } from "./servers/start-server.ts";

const effort: Effort = { rounds: 7, seconds: 0.7, connections: 32 };
const connections = 4;
/** Of the seven connections, visitors without an account may use four: as many as the baseline has. */
const withGuests = 7;
const jwtSecret = "only this bench signs with this secret";
/** The aims are for the least that could do the same, and for PostgREST. */
const reads = [
  { title: "rest/v1, one row", path: "/items?select=*&slug=eq.kitsune", aim: 0.85, beyond: 3.5 },
  {
    title: "rest/v1, 86 items",
    path: "/items?select=*&order=current_value_number.desc.nullslast",
    aim: 0.9,
    beyond: 1.5,
  },
  {
    title: "rest/v1, a filtered list",
    path: "/items?select=slug,name,rarity,current_value_number&rarity=in.(mythical,legendary)&current_value_number=gte.1000000&order=current_value_number.desc&limit=20",
    aim: 0.85,
    beyond: 3,
  },
];

/**
 * rest/v1 on the starting catalogue, compared with a minimal server that runs the same SQL, and with four round trips.
 */
export async function benchRest(): Promise<Comparison[]> {
  const postgres = await startPostgres({ ephemeral: true });
  try {
    await applyBackendSchema(postgres.url, { authenticatorPassword: postgres.authenticatorPassword });
    await applyMigrations(postgres.url);
    await loadCatalogue(postgres.url);
    return await compareAll(postgres.authenticatorUrl, postgres.url);
  } finally {
    await postgres.stop();
  }
}

async function compareAll(databaseUrl: string, ownerUrl: string): Promise<Comparison[]> {
  const anonKey = await signToken({ role: "anon" }, jwtSecret);
  const serviceRoleKey = await signToken({ role: "service_role" }, jwtSecret);
  const headers = { apikey: anonKey, authorization: `Bearer ${anonKey}`, accept: "application/json" };
  const options = { databaseUrl, jwtSecret, anonKey, serviceRoleKey, databaseConnections: withGuests };
  const ours = await startServer("rest", options);
  const postgrest = await startPostgrest({ databaseUrl, jwtSecret, connections });
  try {
    const reads = await compareReads({ ours, postgrest }, databaseUrl, headers);
    return postgrest ? [...reads, await compareLargeBody({ ours, postgrest }, ownerUrl, headers)] : reads;
  } finally {
    await Promise.all([ours.stop(), postgrest?.stop()]);
  }
}

async function compareReads(
  { ours, postgrest }: { ours: StartedServer; postgrest: StartedServer | null },
  databaseUrl: string,
  headers: Record<string, string>,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const { title, path, aim, beyond } of reads) {
    const replay = {
      databaseUrl,
      connections,
      ...(await recordRead(databaseUrl, `/rest/v1${path}`, headers)),
    };
    const floor = await startServer("floor", replay);
    const trips = await startServer("four-trips", replay);
    const contestant = (name: string, { url, pid }: StartedServer, prefix = "/rest/v1"): Contestant => ({
      name,
      url: url + prefix + path,
      headers,
      pid,
    });
    const others = [
      { contestant: contestant("floor: same SQL, one trip", floor), aim },
      { contestant: contestant("same SQL, four trips", trips), aim: null },
      ...(postgrest ? [{ contestant: contestant("PostgREST", postgrest, ""), aim: beyond }] : []),
    ];
    comparisons.push(await compare(title, contestant("rest/v1", ours), others, effort));
    await Promise.all([floor.stop(), trips.stop()]);
  }
  return comparisons;
}

/** Records the statements that rest/v1 runs for a read, and its response headers. */
async function recordRead(databaseUrl: string, url: string, headers: Record<string, string>) {
  const database = connectDatabase({ url: databaseUrl, max: 1 });
  let steps: Step[] = [];
  const recording: Database = {
    ...database,
    batch: (batch) => {
      steps = batch;
      return database.batch(batch);
    },
  };
  const verifier = createTokenVerifier({ secret: jwtSecret, anonRole: "anon" });
  const rest = createRest({ database: recording, verifier });
  const answer = await rest.handle({ method: "GET", url, headers, body: null });
  await rest.close();
  await database.close();
  return { steps, headers: answer.headers };
}
