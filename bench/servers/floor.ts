import { connectDatabase, type Step } from "#backend/postgres/database.ts";
import { readTask, serve } from "./serve.ts";

/** The minimum to answer a request of rest/v1: the same statements in one round trip, the result sent as it is. */
export type ReplayTask = {
  databaseUrl: string;
  connections: number;
  steps: Step[];
  headers: Record<string, string>;
};

const { databaseUrl, connections, steps, headers } = readTask<ReplayTask>();
const database = connectDatabase({ url: databaseUrl, max: connections });
serve(async (_request, response) => {
  const [row] = await database.batch(steps);
  const body = row?.body ?? "";
  response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
});
