import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRestWorkshop, type RestTestServer } from "./rest-server.ts";

let shop: RestTestServer;

beforeAll(async () => {
  shop = await openRestWorkshop();
});
afterAll(() => shop.close());

async function ask(path: string, prefer: string) {
  const response = await shop.request(path, { headers: { prefer } });
  const { headers, status } = response;
  return { status, body: JSON.parse(await response.text()), headers };
}

test.each(["constructor", "__proto__", "toString=x, hasOwnProperty"])(
  "%s is no preference, and is refused only where all must be known",
  async (prefer) => {
    expect((await ask("/moments", prefer)).status).toBe(200);
    expect(await ask("/moments", `handling=strict, ${prefer}`)).toMatchObject({
      status: 400,
      body: { code: "PGRST122" },
    });
  },
);

describe("Prefer: timezone", () => {
  const zones: [string, string][] = [
    ["America/Bogota", "2025-06-01T07:00:00-05:00"],
    ["Asia/Kolkata", "2025-06-01T17:30:00+05:30"],
    ["utc", "2025-06-01T12:00:00+00:00"],
    // PostgreSQL counts such an offset westward, as POSIX does.
    ["+05:30", "2025-06-01T06:30:00-05:30"],
    ["-4", "2025-06-01T08:00:00-04:00"],
  ];
  test.each(zones)("%s moves the times of the answer", async (zone, at) => {
    const { status, body, headers } = await ask("/moments", `timezone=${zone}`);
    expect([status, body, headers.get("preference-applied")]).toEqual([200, [{ at }], `timezone=${zone}`]);
  });

  test.each(["", "handling=strict, ", "handling=lenient, "])(
    "with an unknown name is refused with %s",
    async (handling) => {
      const { status, body } = await ask("/moments", `${handling}timezone=Nowhere/At/All`);
      expect(status).toBe(400);
      expect(body).toEqual({
        code: "22023",
        message: 'invalid value for parameter "TimeZone": "Nowhere/At/All"',
        details: null,
        hint: null,
      });
    },
  );

  test("with seconds is refused with PostgreSQL's reason", async () => {
    const { status, body } = await ask("/moments", "timezone=05:30:15");
    expect([status, body.details]).toEqual([400, "PostgreSQL does not support leap seconds."]);
  });
});

test("an estimated count is the larger of the planner's estimate and the exact count", async () => {
  // Without statistics the planner estimates more rows than the table's three.
  const planned = Number((await ask("/halls", "count=planned")).headers.get("content-range")?.split("/")[1]);
  expect(planned).toBeGreaterThan(3);
  expect((await ask("/halls?limit=1", "count=estimated")).headers.get("content-range")).toBe(
    `0-0/${planned}`,
  );
  const unlikely = "/halls?id=in.(1,2,3)&name=neq.x&limit=1";
  expect((await ask(unlikely, "count=estimated")).headers.get("content-range")).toBe("0-0/3");
});

test("a write that is rolled back is checked all the same, even where the constraint is deferred", async () => {
  const write = (place: number) =>
    shop.request("/seats", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: 2, place }),
    });
  expect((await write(2)).status).toBe(201);
  const refused = await write(1);
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: "23505", details: "Key (place)=(1) already exists." },
  ]);
  expect(refused.headers.get("preference-applied")).toBeNull();
});
