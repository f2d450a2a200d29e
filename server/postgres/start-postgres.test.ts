import { readlinkSync, renameSync } from "node:fs";
import { Client } from "pg";
import { expect, test } from "vitest";
import { startPostgres } from "./start-postgres.ts";

async function ask(url: string, question: string): Promise<string> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query({ text: question, rowMode: "array" });
  await client.end();
  return rows[0]?.[0];
}

test("a PostgreSQL that could not come back six times does as soon as the reason is gone", async () => {
  const lines: string[] = [];
  const database = await startPostgres({
    ephemeral: true,
    report: (line) => lines.push(line),
    pause: () => 0,
  });
  try {
    const { url, pid } = database;
    const shown = await ask(url, "show config_file");
    const settings = shown.replace("/proc/self/cwd", () => readlinkSync(`/proc/${pid}/cwd`));
    renameSync(settings, `${settings}.gone`);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(12);
    expect(lines[0]).toBe("PostgreSQL ended unexpectedly and is started again.");
    expect(lines[1]).toContain("could not access the server configuration file");
    expect(lines.findLast((line) => line.includes("every minute"))).toContain("postgres.log says why");
    renameSync(`${settings}.gone`, settings);
    await expect.poll(() => ask(url, "select 'here'").catch(String), { timeout: 10_000 }).toBe("here");
  } finally {
    await database.stop();
  }
});
