import { Pool } from "pg";
import type { ReplayTask } from "./floor.ts";
import { readTask, serve } from "./serve.ts";

/** The usual way to the same response: BEGIN, the settings, the query and COMMIT, each awaited. */
const { databaseUrl, connections, steps, headers } = readTask<ReplayTask>();
// The result is sent as it is, not parsed and written again.
const types = { getTypeParser: () => String };
const pool = new Pool({ connectionString: databaseUrl, max: connections, types });
const named = steps.map((step, index) => ({ ...step, name: `step ${index}` }));

async function replay(): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    let body = "";
    for (const step of named) body = (await client.query(step)).rows[0]?.body ?? "";
    await client.query("commit");
    return body;
  } finally {
    client.release();
  }
}

serve(async (_request, response) => {
  const body = await replay();
  response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(body) });
  response.end(body);
});
