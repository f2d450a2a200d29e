import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRestWorkshop, type RestTestServer } from "./rest-server.ts";

let shop: RestTestServer;

beforeAll(async () => {
  shop = await openRestWorkshop();
});
afterAll(() => shop.close());

async function ask(path: string) {
  const response = await shop.request(path);
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe("a key of several columns", () => {
  test("that a view exposes twice is two relationships", async () => {
    const { status, body } = await ask("/plan_view?select=slot_view(*)");
    expect([status, body.code]).toEqual([300, "PGRST201"]);
    expect(body.details).toEqual([
      {
        cardinality: "many-to-one",
        embedding: "plan_view with slot_view",
        relationship: "plan_slot using plan_view(day, part) and slot_view(day, part)",
      },
      {
        cardinality: "many-to-one",
        embedding: "plan_view with slot_view",
        relationship: "plan_slot using plan_view(day, again) and slot_view(day, part)",
      },
    ]);
  });

  test("that is exposed once is embedded", async () => {
    expect(await ask("/plans?select=id,slot_view(*)")).toEqual({ status: 200, body: [] });
    expect(await ask("/slot_view?select=*,plans(id)")).toEqual({ status: 200, body: [] });
  });
});

describe("several relationships between two tables", () => {
  test("are listed with to-many first, then to-one, then those through a junction", async () => {
    const { status, body } = await ask("/sites?select=jobs(*)");
    expect(status).toBe(300);
    expect(body).toEqual({
      code: "PGRST201",
      message: "Could not embed because more than one relationship was found for 'sites' and 'jobs'",
      hint: "Try changing 'jobs' to one of the following: 'jobs!jobs_site_id_fkey', 'jobs!main_job', 'jobs!site_jobs'. Find the desired relationship in the 'details' key.",
      details: [
        {
          cardinality: "one-to-many",
          embedding: "sites with jobs",
          relationship: "jobs_site_id_fkey using sites(id) and jobs(site_id)",
        },
        {
          cardinality: "many-to-one",
          embedding: "sites with jobs",
          relationship: "main_job using sites(main_job) and jobs(id)",
        },
        {
          cardinality: "many-to-many",
          embedding: "sites with jobs",
          relationship: "site_jobs using site_jobs_site_id_fkey(site_id) and site_jobs_job_id_fkey(job_id)",
        },
      ],
    });
  });

  test("are distinguished by key, by column and by junction", async () => {
    for (const hint of ["jobs_site_id_fkey", "site_id", "main_job", "site_jobs"])
      expect(await ask(`/sites?select=id,jobs!${hint}(name)`)).toEqual({ status: 200, body: [] });
  });
});

test("two one-to-one keys of a table make no junction of it", async () => {
  expect(await ask("/members?select=id,trainers(id)")).toEqual({ status: 200, body: [] });
  expect(await ask("/members?select=trainers!chiefs(id)")).toMatchObject({
    status: 400,
    body: { code: "PGRST200" },
  });
});

describe("a partitioned table", () => {
  test("embeds and is embedded as one", async () => {
    expect((await ask("/readings?select=id,machines(name)")).body).toEqual([
      { id: 1, machines: { name: "N1" } },
    ]);
    expect((await ask("/machines?select=readings(year)&id=eq.1")).body).toEqual([
      { readings: [{ year: 2025 }] },
    ]);
  });

  test("hides its partitions", async () => {
    const { status, body } = await ask("/readings_2025");
    expect([status, body]).toEqual([
      404,
      {
        code: "PGRST205",
        message: "Could not find the table 'shop.readings_2025' in the schema cache",
        details: null,
        hint: null,
      },
    ]);
    expect(await ask("/machines?select=readings_2025(id)")).toMatchObject({
      status: 400,
      body: { code: "PGRST200", hint: "Perhaps you meant 'readings' instead of 'readings_2025'." },
    });
  });
});

test("no other table is suggested for two that only a hidden junction joins", async () => {
  expect(await ask("/pilots?select=planes(*)")).toMatchObject({
    status: 400,
    body: { code: "PGRST200", hint: null },
  });
});
