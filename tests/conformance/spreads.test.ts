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

type Row = Record<string, unknown>;

/** Groups are returned in no particular order. */
const sorted = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort();

async function expectRows(path: string, rows: Row[]) {
  const { status, body } = await ask(path);
  expect([status, status === 200 ? sorted(body) : body]).toEqual([200, sorted(rows)]);
}

const N = "North";
const S = "South";

describe("a to-many spread returns an array for each column", () => {
  const cases: [string, string, Row[]][] = [
    [
      "one column",
      "/halls?select=name,...machines(id)",
      [
        { name: N, id: [1, 2] },
        { name: S, id: [3, 4] },
        { name: "East", id: [] },
      ],
    ],
    [
      "renamed",
      "/halls?select=hall:name,...machines(machine:name)&id=eq.1",
      [{ hall: N, machine: ["N1", "N2"] }],
    ],
    [
      "all",
      "/halls?select=name,...machines(*)&id=eq.1",
      [{ name: ["N1", "N2"], id: [1, 2], hall_id: [1, 1], kind_id: [1, 2] }],
    ],
    [
      "beside all of the parent's",
      "/kinds?select=*,...machines(machines:name)&id=eq.2",
      [{ id: 2, name: "Press", machines: ["N2"] }],
    ],
    ["empty", "/halls?select=name,...machines(id)&machines=is.null", [{ name: "East", id: [] }]],
    [
      "those that exist",
      "/halls?select=name,...machines!inner(id)&machines.name=like.S*&machines.order=id",
      [{ name: S, id: [3, 4] }],
    ],
    [
      "over a junction",
      "/workers?select=name,...machines(machines:name)",
      [
        { name: "Ann", machines: ["N1", "N2"] },
        { name: "Bo", machines: ["N2", "S1"] },
        { name: "Cy", machines: [] },
      ],
    ],
    [
      "ordered",
      "/halls?select=name,...machines(id,kind_id)&machines.order=kind_id.desc,id.desc&id=lt.3",
      [
        { name: N, id: [2, 1], kind_id: [2, 1] },
        { name: S, id: [4, 3], kind_id: [1, 1] },
      ],
    ],
    [
      "limited",
      "/halls?select=name,...machines(id)&machines.order=id&machines.limit=1&id=lt.3",
      [
        { name: N, id: [1] },
        { name: S, id: [3] },
      ],
    ],
    [
      "in an embedded resource",
      "/machines?select=id,halls(*,...machines(machines:name))&id=eq.1",
      [{ id: 1, halls: { id: 1, name: N, wall: "#000000", machines: ["N1", "N2"] } }],
    ],
  ];
  test.each(cases)("%s", (_, path, rows) => expectRows(path, rows));
});

describe("spreads inside a to-many spread keep their rows aligned", () => {
  const cases: [string, string, Row[]][] = [
    [
      "to one",
      "/halls?select=hall:name,...machines(name,...kinds(kind:name))&machines.order=id&id=lt.3",
      [
        { hall: N, name: ["N1", "N2"], kind: ["Saw", "Press"] },
        { hall: S, name: ["S1", "S2"], kind: ["Saw", "Saw"] },
      ],
    ],
    [
      "to one that may be missing",
      "/halls?select=hall:name,...machines(name,...costs(amount))&machines.order=id&id=eq.2",
      [{ hall: S, name: ["S1", "S2"], amount: [5, null] }],
    ],
    [
      "to many",
      "/halls?select=hall:name,...machines(name,...shifts(worker_id))&machines.order=id&machines.shifts.order=worker_id&id=eq.1",
      [{ hall: N, name: ["N1", "N2"], worker_id: [[1], [1, 2]] }],
    ],
    [
      "over a junction",
      "/halls?select=hall:name,...machines(name,...workers(worker:name))&machines.order=id&machines.workers.order=id.desc&id=eq.1",
      [{ hall: N, name: ["N1", "N2"], worker: [["Ann"], ["Bo", "Ann"]] }],
    ],
    [
      "embedded to one",
      "/halls?select=hall:name,...machines(name,kinds(name))&machines.order=id&id=eq.1",
      [{ hall: N, name: ["N1", "N2"], kinds: [{ name: "Saw" }, { name: "Press" }] }],
    ],
    [
      "embedded to many",
      "/halls?select=hall:name,...machines(name,shifts(worker_id))&machines.order=id&machines.shifts.order=worker_id&id=eq.1",
      [{ hall: N, name: ["N1", "N2"], shifts: [[{ worker_id: 1 }], [{ worker_id: 1 }, { worker_id: 2 }]] }],
    ],
    [
      "inside an embedded one they are its own",
      "/workers?select=name,...shifts(machines(name,...costs(amount)))&id=eq.1",
      [
        {
          name: "Ann",
          machines: [
            { name: "N1", amount: 10.5 },
            { name: "N2", amount: 20 },
          ],
        },
      ],
    ],
    [
      "inside an embedded one to many too",
      "/workers?select=name,...shifts(machines(name,...workers(workers:name)))&id=eq.1",
      [
        {
          name: "Ann",
          machines: [
            { name: "N1", workers: ["Ann"] },
            { name: "N2", workers: ["Ann", "Bo"] },
          ],
        },
      ],
    ],
    [
      "to many inside to one",
      "/machines?select=id,...halls(hall:name,...machines(others:id))&id=eq.1",
      [{ id: 1, hall: N, others: [1, 2] }],
    ],
  ];
  test.each(cases)("%s", (_, path, rows) => expectRows(path, rows));
});

describe("aggregates in spreads work on the rows of the resource they are spread into", () => {
  const cases: [string, string, Row[]][] = [
    [
      "of a to-one spread, grouped by a column",
      "/machines?select=hall_id,...costs(amount.sum())&hall_id=not.is.null",
      [
        { hall_id: 1, sum: 30.5 },
        { hall_id: 2, sum: 5 },
      ],
    ],
    [
      "grouped by another spread's column",
      "/machines?select=...costs(total:amount.sum()),...kinds(kind:name)&kind_id=not.is.null",
      [
        { total: 15.5, kind: "Saw" },
        { total: 20, kind: "Press" },
      ],
    ],
    ["alone", "/machines?select=...costs(amount.max()::text)", [{ max: "20.00" }]],
    [
      "inside spreads",
      "/shifts?select=worker_id,...machines(...costs(amount.sum()),...kinds(kind:name))",
      [
        { worker_id: 1, sum: 10.5, kind: "Saw" },
        { worker_id: 1, sum: 20, kind: "Press" },
        { worker_id: 2, sum: 20, kind: "Press" },
        { worker_id: 2, sum: 5, kind: "Saw" },
      ],
    ],
    [
      "grouped by an embedded resource",
      "/shifts?select=...machines(halls(name),...costs(amount.sum()))",
      [
        { halls: { name: N }, sum: 50.5 },
        { halls: { name: S }, sum: 5 },
      ],
    ],
    [
      "counting",
      "/shifts?select=worker_id,...machines(machines:count(),...costs(costs:count()))",
      [
        { worker_id: 1, machines: 2, costs: 2 },
        { worker_id: 2, machines: 2, costs: 2 },
      ],
    ],
    [
      "in an embedded resource",
      "/workers?select=name,shifts(...machines(...costs(amount.sum())))",
      [
        { name: "Ann", shifts: [{ sum: 30.5 }] },
        { name: "Bo", shifts: [{ sum: 25 }] },
        { name: "Cy", shifts: [{ sum: null }] },
      ],
    ],
    [
      "grouped by a JSON path",
      "/rpc/all_machines?select=to_jsonb:name,count()&name=like.N*",
      [
        { to_jsonb: "N1", count: 1 },
        { to_jsonb: "N2", count: 1 },
      ],
    ],
  ];
  test.each(cases)("%s", (_, path, rows) => expectRows(path, rows));

  test("and the groups can be ordered by a spread's column", async () => {
    const { body } = await ask(
      "/shifts?select=...machines(machine:name,count())&order=machines(machine).desc",
    );
    expect(body).toEqual([
      { machine: "S1", count: 1 },
      { machine: "N2", count: 2 },
      { machine: "N1", count: 1 },
    ]);
  });
});

describe("a to-many spread is no aggregate", () => {
  test("and works with aggregates disabled", async () => {
    const strict = await openRestWorkshop({ aggregates: false });
    try {
      const rows = await strict.request("/halls?select=name,...machines(id)&id=eq.1");
      expect([rows.status, await rows.json()]).toEqual([200, [{ name: N, id: [1, 2] }]]);
      const sum = await strict.request("/halls?select=name,...machines(id.count())");
      expect([sum.status, await sum.json()]).toMatchObject([400, { code: "PGRST123" }]);
    } finally {
      await strict.close();
    }
  });

  const cases = [
    "/halls?select=name,...machines(id,count())",
    "/halls?select=name,...machines(...costs(amount.sum()))",
    "/machines?select=id,...halls(...machines(neighbours:count()))",
  ];
  test.each(cases)("so none may be inside one: %s", async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 400,
      body: { code: "PGRST127", details: expect.stringContaining("one-to-many or many-to-many spreads") },
    });
  });

  test("its rows stay together if its parent is grouped", () =>
    expectRows("/machines?select=count(),...halls(hall:name,...machines(others:id))&hall_id=eq.1", [
      { count: 2, hall: N, others: [1, 2] },
    ]));

  test("its columns may share a name", () =>
    expectRows("/halls?select=id,...machines(a:id,b:id,halls(id))&id=eq.1", [
      { id: 1, a: [1, 2], b: [1, 2], halls: [{ id: 1 }, { id: 1 }] },
    ]));
});
