import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Call, json, type RestFixture, startRest } from "#tests/helpers/rest/rest-fixture.ts";

let fixture: RestFixture;

beforeAll(async () => {
  fixture = await startRest({ aggregates: true });
});

afterAll(() => fixture.close());

/** URL, expected rows (or error code), and request headers. */
type Case = [url: string, rows: unknown, headers?: Call["headers"]];

const filters: Case[] = [
  ["/people?select=id&id=eq.1", [{ id: 1 }]],
  ["/people?select=id&id=neq.1&order=id", [{ id: 2 }, { id: 3 }]],
  ["/people?select=id&id=gt.1&id=lt.3", [{ id: 2 }]],
  ["/people?select=id&id=gte.2&id=lte.2", [{ id: 2 }]],
  ["/people?select=id&id=not.eq.1&order=id", [{ id: 2 }, { id: 3 }]],
  ["/people?select=id&name=like.A*", [{ id: 1 }]],
  ["/people?select=id&name=ilike.*D*", [{ id: 1 }]],
  ["/people?select=id&name=match.^B", [{ id: 2 }]],
  ["/people?select=id&name=imatch.^b", [{ id: 2 }]],
  ["/people?select=id&name=like(any).{A*,B*}&order=id", [{ id: 1 }, { id: 2 }]],
  ["/people?select=id&id=eq(any).{1,3}&order=id", [{ id: 1 }, { id: 3 }]],
  ["/people?select=id&id=gt(all).{1,2}", [{ id: 3 }]],
  ["/people?select=id&id=in.(1,3)&order=id", [{ id: 1 }, { id: 3 }]],
  ['/people?select=id&name=in.("Ada","x,y")', [{ id: 1 }]],
  ["/people?select=id&id=in.()", []],
  ["/people?select=id&id=not.in.(1,2)", [{ id: 3 }]],
  ["/people?select=id&email=is.null", [{ id: 3 }]],
  ["/people?select=id&email=is.not_null&order=id", [{ id: 1 }, { id: 2 }]],
  ["/people?select=id&email=not.is.NULL&order=id", [{ id: 1 }, { id: 2 }]],
  ["/tasks?select=title&done=is.true", [{ title: "Cut wood" }]],
  ["/tasks?select=title&done=is.unknown", [{ title: "Dig" }]],
  ["/people?select=id&age=isdistinct.36&order=id", [{ id: 2 }, { id: 3 }]],
  ["/people?select=id&tags=cs.{captain}", [{ id: 1 }]],
  ["/people?select=id&tags=cd.{crew}&order=id", [{ id: 2 }, { id: 3 }]],
  ["/people?select=id&tags=ov.{captain,cook}", [{ id: 1 }]],
  ['/people?select=id&profile=cs.{"likes":{"fruit":"ice"}}', [{ id: 2 }]],
  ["/projects?select=id&period=ov.[5,12)&order=id", [{ id: 1 }, { id: 2 }]],
  ["/projects?select=id&period=sl.[10,20)", [{ id: 1 }]],
  ["/projects?select=id&period=sr.[1,10)", [{ id: 2 }]],
  ["/projects?select=id&period=nxr.[1,10)", [{ id: 1 }]],
  ["/projects?select=id&period=nxl.[10,20)", [{ id: 2 }]],
  ["/projects?select=id&period=adj.[10,20)", [{ id: 1 }]],
  ["/tasks?select=title&note=fts.pine", [{ title: "Cut wood" }]],
  ["/tasks?select=title&note=plfts(english).ropes", [{ title: "Tie knots" }]],
  ["/tasks?select=title&note=phfts.oak and pine", [{ title: "Cut wood" }]],
  ["/tasks?select=title&note=wfts.pine or rope&order=id", [{ title: "Cut wood" }, { title: "Tie knots" }]],
  ["/people?select=id&profile->likes->>fruit=eq.ice", [{ id: 2 }]],
  ["/people?select=id&profile->scores->0=eq.3", [{ id: 1 }]],
  ["/people?select=id&tags->>0=eq.crew&order=id", [{ id: 1 }, { id: 2 }]],
  ["/people?select=id&or=(id.eq.1,name.eq.Cy)&order=id", [{ id: 1 }, { id: 3 }]],
  ["/people?select=id&or=(id.eq.1,and(id.gt.1,name.not.eq.Cy))&order=id", [{ id: 1 }, { id: 2 }]],
  ["/people?select=id&not.or=(id.eq.1,id.eq.2)", [{ id: 3 }]],
  ['/people?select=id&or=(name.in.("Ada",Bo),tags.cs.{none,of})&order=id', [{ id: 1 }, { id: 2 }]],
  ['/people?select=id&or=(name.eq."Ada",name.eq."a\\"b")', [{ id: 1 }]],
  ['/Odd "name?select="the key"&"a,b(c)"=eq.x', [{ "the key": 1 }]],
  ["/people?select=id&name=eq.%27%20or%201%3D1%20--", []],
];

const shapes: Case[] = [
  ["/people?select=n:name,age::text&id=eq.1", [{ n: "Ada", age: "36" }]],
  ["/people?select=profile->likes->>fruit&id=eq.1", [{ fruit: "dragon" }]],
  ["/people?select=first:profile->scores->0&id=eq.1", [{ first: 3 }]],
  ["/people?select=profile->scores->0&id=eq.1", [{ scores: 3 }]],
  ["/people?select=full_label&id=eq.1", [{ full_label: "Ada <ada@example.org>" }]],
  ["/people?select=name&order=age.desc.nullslast", [{ name: "Ada" }, { name: "Bo" }, { name: "Cy" }]],
  ["/people?select=name&order=age.desc.nullsfirst,name", [{ name: "Cy" }, { name: "Ada" }, { name: "Bo" }]],
  ["/people?select=name&order=age.asc&limit=1&offset=1", [{ name: "Ada" }]],
  ["/people?select=name&limit=0", []],
  ["/people?select=name&order=profile->likes->>fruit.asc.nullslast&limit=1", [{ name: "Ada" }]],
  [
    "/people?select=id,countries(name)&order=countries(name).desc.nullslast&limit=1",
    [{ id: 1, countries: { name: "Norway" } }],
  ],
  ["/people?select=*&select=id&id=eq.99", []],
  ["/people_view?select=name,countries(name)&id=eq.1", [{ name: "Ada", countries: { name: "Norway" } }]],
  ["/ledger_view?select=amount,people(name)", [{ amount: 100, people: { name: "Ada" } }]],
  ["/planets?select=name", [{ name: "Earth" }], { "accept-profile": "other_api" }],
];

const embeds: Case[] = [
  ["/people?select=countries(name)&id=eq.1", [{ countries: { name: "Norway" } }]],
  ["/people?select=home:country_code(name)&id=eq.1", [{ home: { name: "Norway" } }]],
  [
    "/people?select=people_country_code_fkey(name)&id=eq.1",
    [{ people_country_code_fkey: { name: "Norway" } }],
  ],
  [
    "/people?select=passports(number)&order=id",
    [{ passports: { number: "P-1" } }, { passports: { number: "P-2" } }, { passports: null }],
  ],
  [
    "/countries?select=code,people(name)&order=code",
    [
      { code: "jp", people: [{ name: "Bo" }] },
      { code: "no", people: [{ name: "Ada" }] },
      { code: "xx", people: [] },
    ],
  ],
  [
    "/countries?select=code,people!inner(name)&order=code",
    [
      { code: "jp", people: [{ name: "Bo" }] },
      { code: "no", people: [{ name: "Ada" }] },
    ],
  ],
  ["/people?select=boss_id(name)&id=eq.2", [{ boss_id: { name: "Ada" } }]],
  [
    "/people?select=crew:people!boss_id(name)&id=eq.1&crew.order=name",
    [{ crew: [{ name: "Bo" }, { name: "Cy" }] }],
  ],
  [
    "/people?select=projects!memberships(name)&id=eq.2&projects.order=name",
    [{ projects: [{ name: "Fort" }, { name: "Raft" }] }],
  ],
  ["/people?select=projects!projects_owner_id_fkey(name)&id=eq.1", [{ projects: [{ name: "Raft" }] }]],
  ["/projects?select=people!reviewer_id(name)&id=eq.1", [{ people: { name: "Bo" } }]],
  ["/site_visits?select=sites(name)&id=eq.1", [{ sites: { name: "one-two" } }]],
  [
    "/projects?select=open_tasks(title),lead(name)&id=eq.1",
    [{ open_tasks: [{ title: "Tie knots" }], lead: { name: "Ada" } }],
  ],
  [
    "/tasks?select=title,projects(name,lead:people!owner_id(name,countries(code)))&title=eq.Dig",
    [{ title: "Dig", projects: { name: "Fort", lead: { name: "Bo", countries: { code: "jp" } } } }],
  ],
  [
    "/projects?select=name,tasks(title)&id=eq.1&tasks.title=like.Cut*",
    [{ name: "Raft", tasks: [{ title: "Cut wood" }] }],
  ],
  [
    "/projects?select=name,tasks(title)&id=eq.1&tasks.order=title.desc&tasks.limit=1",
    [{ name: "Raft", tasks: [{ title: "Tie knots" }] }],
  ],
  [
    "/projects?select=tasks(title)&id=eq.1&tasks.or=(title.eq.x,done.is.true)",
    [{ tasks: [{ title: "Cut wood" }] }],
  ],
  ["/people?select=name&passports=is.null", "42703"],
  ["/people?select=name,passports()&passports=is.null", [{ name: "Cy" }]],
  ["/people?select=name,passports()&passports=not.is.null&order=id", [{ name: "Ada" }, { name: "Bo" }]],
  ["/countries?select=code,people()&people=is.null", [{ code: "xx" }]],
  [
    "/countries?select=code,people()&or=(people.is.null,code.eq.no)&order=code",
    [{ code: "no" }, { code: "xx" }],
  ],
  ["/projects?select=name,...people!owner_id(owner:name)&order=id&limit=1", [{ name: "Raft", owner: "Ada" }]],
  [
    "/projects?select=name,...tasks(title)&tasks.order=title.desc&id=eq.1",
    [{ name: "Raft", title: ["Tie knots", "Cut wood"] }],
  ],
];

const aggregates: Case[] = [
  ["/people?select=count()", [{ count: 3 }]],
  ["/people?select=age.sum(),age.max(),oldest:age.min()", [{ sum: 56, max: 36, oldest: 20 }]],
  ["/people?select=age.avg()::int", [{ avg: 28 }]],
  [
    "/tasks?select=project_id,count()&order=project_id",
    [
      { project_id: 1, count: 2 },
      { project_id: 2, count: 1 },
    ],
  ],
  [
    "/tasks?select=...projects(name),count()&order=count",
    [
      { name: "Fort", count: 1 },
      { name: "Raft", count: 2 },
    ],
  ],
  [
    "/tasks?select=...projects(owner_id,id.max())&order=projects(owner_id)",
    [
      { owner_id: 1, max: 1 },
      { owner_id: 2, max: 2 },
    ],
  ],
  ["/projects?select=name,tasks(count())&id=eq.1", [{ name: "Raft", tasks: [{ count: 2 }] }]],
];

describe.each([
  ["filters", filters],
  ["shapes", shapes],
  ["embeds", embeds],
  ["aggregates", aggregates],
])("a read answers %s", (_group, cases) => {
  test.each(cases)("%s", async (url, expected, headers = {}) => {
    // The second call uses the cached plan and must give the same result.
    for (let time = 0; time < 2; time++) {
      const response = await fixture.call("GET", url.replaceAll(" ", "%20"), { headers });
      if (typeof expected === "string") expect(json(response)).toMatchObject({ code: expected });
      else expect(json(response)).toEqual(expected);
    }
  });
});

describe("the response to a read", () => {
  const ranges: [url: string, headers: Call["headers"], status: number, range: string][] = [
    ["/people?order=id", {}, 200, "0-2/*"],
    ["/people?id=eq.9", {}, 200, "*/*"],
    ["/people?id=eq.9", { prefer: "count=exact" }, 200, "*/0"],
    ["/people?limit=1&offset=1", { prefer: "count=exact" }, 206, "1-1/3"],
    ["/people?limit=3", { prefer: "count=exact" }, 200, "0-2/3"],
    ["/people?select=id,countries!inner()&limit=1", { prefer: "count=exact" }, 206, "0-0/2"],
    ["/people?select=id,passports()&passports=is.null&limit=1", { prefer: "count=exact" }, 200, "0-0/1"],
    ["/people", { range: "1-2", "range-unit": "items" }, 200, "1-2/*"],
    ["/people?limit=1", { range: "1-2" }, 416, ""],
    ["/people?limit=2", { range: "1-5" }, 200, "1-1/*"],
    ["/people", { range: "bytes=0-1" }, 200, "0-2/*"],
  ];
  test.each(ranges)("%s %o has status %i and Content-Range %s", async (url, headers, status, range) => {
    const response = await fixture.call("GET", url, { headers: headers ?? {} });
    expect(response.status).toBe(status);
    if (range) expect(response.headers["content-range"]).toBe(range);
  });

  test("keeps every digit and PostgreSQL's own layout", async () => {
    expect((await fixture.call("GET", "/big_numbers")).body).toBe(
      '[{"id":9223372036854775807,"n":123456789012345678901234567890.123456789}]',
    );
    expect((await fixture.call("GET", "/people?select=id&order=id&limit=2")).body).toBe(
      '[{"id":1}, \n {"id":2}]',
    );
  });

  test("has the resource with sorted parameters, the type, the profile and the applied preferences", async () => {
    const response = await fixture.call("GET", "/people?select=id&id=eq.1&name=like.A*", {
      headers: { prefer: "count=exact, timezone=Asia/Tokyo, handling=lenient, return=minimal, nonsense" },
    });
    expect(response.headers).toEqual({
      "content-location": "/people?id=eq.1&name=like.A%2A&select=id",
      "content-profile": "api",
      "content-range": "0-0/1",
      "content-type": "application/json; charset=utf-8",
      "preference-applied": "count=exact, handling=lenient, timezone=Asia/Tokyo",
      vary: "Accept, Prefer, Range",
    });
  });

  test("formats times in the preferred time zone", async () => {
    const response = await fixture.call("GET", "/tasks?select=due&id=eq.1", {
      headers: { prefer: "timezone=Asia/Tokyo" },
    });
    expect(json(response)).toEqual([{ due: "2026-01-02T12:04:05+09:00" }]);
  });

  test("to HEAD has the headers and no body", async () => {
    const response = await fixture.call("HEAD", "/people?limit=1", { headers: { prefer: "count=exact" } });
    expect(response).toMatchObject({ status: 206, body: null, headers: { "content-range": "0-0/3" } });
  });

  test("is one object, CSV or without nulls, according to Accept", async () => {
    const read = async (url: string, accept: string) =>
      (await fixture.call("GET", url, { headers: { accept } })).body;
    expect(await read("/people?select=id,name&id=eq.1", "application/vnd.pgrst.object+json")).toBe(
      '{"id":1,"name":"Ada"}',
    );
    expect(
      await read("/people?select=id,email&id=eq.3", "application/vnd.pgrst.array+json;nulls=stripped"),
    ).toBe('[{"id":3}]');
    expect(
      await read("/people?select=id,email&id=eq.3", "application/vnd.pgrst.object+json;nulls=stripped"),
    ).toBe('{"id":3}');
    expect(await read("/people?select=id,tags&order=id&limit=2", "text/csv")).toBe(
      'id,tags\n1,"{crew,captain}"\n2,{crew}',
    );
    expect(await read("/people?select=id&id=eq.1", "text/html,application/xhtml+xml,*/*;q=0.8")).toBe(
      '[{"id":1}]',
    );
  });

  test("warns when a filter names an aliased resource by its table", async () => {
    const response = await fixture.call(
      "GET",
      "/people?select=id,home:countries(name)&id=eq.1&countries.code=eq.no",
    );
    expect(json(response)).toEqual([{ id: 1, home: { name: "Norway" } }]);
    expect(response.headers.warning).toContain("Update `countries` to `home` in query string filters");
    const odd = await fixture.call(
      "GET",
      "/people?select=%22%D0%B4%0A%22:countries(name)&countries.code=eq.no",
    );
    expect(odd.headers.warning).toContain("Update `countries` to `%D0%B4%0A` in query string filters");
  });

  test("contains only rows that row-level security allows", async () => {
    expect(json(await fixture.call("GET", "/notes?select=id"))).toEqual([{ id: 1 }]);
    expect(json(await fixture.call("GET", "/notes?select=id", { role: "service_role" }))).toHaveLength(2);
  });

  test("to OPTIONS lists the allowed methods", async () => {
    const allow = async (url: string) => (await fixture.call("OPTIONS", url)).headers.allow;
    expect(await allow("/people")).toBe("OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE");
    expect(await allow("/unkeyed")).toBe("OPTIONS,GET,HEAD,POST,PATCH,DELETE");
    expect(await allow("/rpc/add_secret")).toBe("OPTIONS,POST");
    expect(await allow("/rpc/add")).toBe("OPTIONS,GET,HEAD,POST");
    expect((await fixture.call("OPTIONS", "/nowhere")).status).toBe(404);
  });

  test("at the root describes what the role can use", async () => {
    const paths = async (role: string) => {
      const response = await fixture.call("GET", "/", {
        role,
        headers: { accept: "application/openapi+json" },
      });
      expect(response.headers["content-type"]).toBe("application/openapi+json; charset=utf-8");
      return Object.keys((json(response) as { paths: object }).paths);
    };
    expect(await paths("authenticated")).toContain("/people");
    expect(await paths("authenticated")).not.toContain("/secrets");
    expect(await paths("service_role")).toContain("/secrets");
  });
});
