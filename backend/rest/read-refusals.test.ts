import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Call, json, type RestFixture, startRest } from "#tests/helpers/rest/rest-fixture.ts";

let fixture: RestFixture;

beforeAll(async () => {
  fixture = await startRest({ aggregates: true });
});

afterAll(() => fixture.close());

const single = { accept: "application/vnd.pgrst.object+json" };

const refusals: [url: string, status: number, code: string, says: string, headers?: Call["headers"]][] = [
  ["/nowhere", 404, "PGRST205", "Could not find the table 'api.nowhere' in the schema cache"],
  ["/passport", 404, "PGRST205", "Perhaps you meant the table 'api.passports'"],
  ["/people?select=foo", 400, "42703", "column people.foo does not exist"],
  ["/people?select=id,project(*)", 400, "PGRST200", "Perhaps you meant 'projects' instead of 'project'."],
  ["/peopel?select=id,projects(*)", 404, "PGRST205", "api.peopel"],
  [
    "/people?select=projects(*)",
    300,
    "PGRST201",
    "Try changing 'projects' to one of the following: 'projects!projects_owner_id_fkey'",
  ],
  ["/people?id=noop.1", 400, "PGRST100", '\\"failed to parse filter (noop.1)\\" (line 1, column 1)'],
  ["/people?id=1", 400, "PGRST100", 'unexpected \\"1\\" expecting \\"not\\" or operator (eq, gt, ...)'],
  ["/people?select=name[", 400, "PGRST100", "(line 1, column 5)"],
  ["/people?select=id,(", 400, "PGRST100", "failed to parse select parameter"],
  ["/people?order=id.descc", 400, "PGRST100", "failed to parse order"],
  ["/people?or=(id.eq.1", 400, "PGRST100", "failed to parse logic tree"],
  ["/people?and=()", 400, "PGRST100", "failed to parse logic tree"],
  ["/people?is=is.maybe", 400, "PGRST100", "isVal: (null, not_null, true, false, unknown)"],
  ["/people?id=eq.x", 400, "22P02", "invalid input syntax for type integer"],
  [
    "/people?countries.name=eq.Norway",
    400,
    "PGRST108",
    "Verify that 'countries' is included in the 'select' query parameter.",
  ],
  [
    "/people?select=*,projects!memberships(*)&order=projects(id)",
    400,
    "PGRST118",
    "do not form a many-to-one or one-to-one relationship",
  ],
  [
    "/people?select=*,countries(*)&countries=eq.1",
    400,
    "PGRST120",
    "Only is null or not is null filters are allowed",
  ],
  ["/people?limit=-1", 416, "PGRST103", "Limit should be greater than or equal to zero."],
  ["/people?offset=99999999999999999999", 400, "22003", "out of range for type bigint"],
  ["/people", 416, "PGRST103", "The lower boundary must be lower", { range: "3-1" }],
  [
    "/people?offset=10",
    416,
    "PGRST103",
    "An offset of 10 was requested, but there are only 3 rows.",
    { prefer: "count=exact" },
  ],
  ["/people", 406, "PGRST116", "The result contains 3 rows", single],
  ["/people?id=eq.99", 406, "PGRST116", "Cannot coerce the result to a single JSON object", single],
  [
    "/people",
    406,
    "PGRST107",
    "None of these media types are available: text/html, image/png",
    { accept: "text/html, image/png" },
  ],
  ["/people", 406, "PGRST107", "application/vnd.pgrst.plan", { accept: "application/vnd.pgrst.plan+json" }],
  [
    "/people",
    406,
    "PGRST106",
    "Only the following schemas are exposed: api, other_api",
    { "accept-profile": "hidden" },
  ],
  ["/people", 400, "PGRST122", "Invalid preferences: color=red", { prefer: "handling=strict, color=red" }],
  ["/secrets", 401, "42501", "permission denied for table secrets"],
  ["/people/1", 404, "PGRST125", "Invalid path specified in request URL"],
  ["/people", 401, "PGRST301", "JWT", { authorization: "Bearer a.b.c" }],
  ["/people?id=eq.%00", 400, "PGRST100", "NUL"],
  ["/people?id=eq.%c3%28", 400, "PGRST100", "not UTF-8"],
  ["/people?id=eq.%ff", 400, "PGRST100", "not UTF-8"],
  [`/people?select=${"id,".repeat(1001)}id`, 400, "PGRST100", "at most 1000"],
  [`/people?select=${"countries(id),".repeat(250)}countries(id)`, 400, "PGRST100", "at most 250"],
  [`/people?select=${"boss_id(".repeat(13)}${")".repeat(13)}`, 400, "PGRST100", "at most 12"],
  [`/people?or=${"(and".repeat(26)}(id.eq.1)${")".repeat(26)}`, 400, "PGRST100", "at most 24"],
  [`/people?${"id=eq.1&".repeat(501)}`, 400, "PGRST100", "at most 500"],
  [`/people?id=eq.${"1".repeat(70_000)}`, 414, "PGRST100", "65536 characters"],
];

describe("a read is refused", () => {
  test.each(refusals)("%s with %i %s", async (url, status, code, says, headers = {}) => {
    const response = await fixture.call("GET", url, { headers });
    expect(String(response.body)).toContain(says);
    expect(response.status).toBe(status);
    expect(Object.keys(json(response) as object).sort()).toEqual(["code", "details", "hint", "message"]);
    expect(json(response)).toMatchObject({ code });
    expect(response.headers["proxy-status"]).toBe(`PostgREST; error=${code}`);
    const challenge = code.startsWith("PGRST30") ? `Bearer error="invalid_token"` : "Bearer";
    if (status === 401) expect(response.headers["www-authenticate"]).toContain(challenge);
    else expect(response.headers["www-authenticate"]).toBeUndefined();
  });

  test("as forbidden, not unauthorized, if the user is signed in", async () => {
    const response = await fixture.call("GET", "/secrets", { role: "authenticated" });
    expect(response.status).toBe(403);
  });

  test("with the columns that distinguish the relationships", async () => {
    const { details } = json(await fixture.call("GET", "/people?select=projects(*)")) as { details: unknown };
    expect(details).toEqual([
      {
        cardinality: "one-to-many",
        embedding: "people with projects",
        relationship: "projects_owner_id_fkey using people(id) and projects(owner_id)",
      },
      {
        cardinality: "one-to-many",
        embedding: "people with projects",
        relationship: "projects_reviewer_id_fkey using people(id) and projects(reviewer_id)",
      },
      {
        cardinality: "many-to-many",
        embedding: "people with projects",
        relationship:
          "memberships using memberships_person_id_fkey(person_id) and memberships_project_id_fkey(project_id)",
      },
    ]);
  });
});
