import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRestWorkshop, type RestTestServer } from "./rest-server.ts";

let shop: RestTestServer;

beforeAll(async () => {
  shop = await openRestWorkshop({ plan: true });
});
afterAll(() => shop.close());

type PlanNode = { Output: string[]; Plans?: PlanNode[] };

/** The verbose plan of a request for this media type. */
async function explain(path: string, media: string, init: RequestInit = {}): Promise<PlanNode> {
  const accept = `application/vnd.pgrst.plan+json; for="${media}"; options=verbose`;
  const response = await shop.request(path, { ...init, headers: { accept, ...init.headers } });
  expect(response.headers.get("content-type")).toContain(`for="${media}`);
  const [{ Plan }] = await response.json();
  return Plan;
}

const json = "application/json";
const object = "application/vnd.pgrst.object";
const kinds = "json_agg(ROW(kinds.id, kinds.name))";

// Tools read the body's cost and columns from there, so it is where PostgREST has it, and nothing is around it.
describe("the third column of a verbose plan is the body as PostgREST builds it", () => {
  const bodies: [path: string, media: string, body: string][] = [
    ["/kinds", json, `COALESCE(${kinds}, '[]'::json)`],
    ["/kinds", object, `COALESCE((${kinds} -> 0), 'null'::json)`],
    ["/workers", "image/x-dots", "workers_dots(ROW(workers.id, workers.name)::workers)"],
    ["/kinds", "text/x-rows", "any_rows(ROW(kinds.id, kinds.name))"],
    ["/rpc/stamp", "text/xml", "stamp.pgrst_scalar"],
  ];
  test.each(bodies)("%s as %s", async (path, media, body) => {
    const { Output } = await explain(path, media);
    expect(Output[2]?.replaceAll("shop.", "")).toBe(body);
  });
});

test("the fourth one is a write's, after its Location", async () => {
  const prefer = "return=representation";
  const { Output } = await explain("/kinds?id=eq.1", object, { method: "DELETE", headers: { prefer } });
  expect(Output.slice(2, 4)).toEqual(["NULL::text", `COALESCE((${kinds} -> 0), 'null'::json)`]);
});

test("the rows of a body that defaults are added to have PostgREST's name", async () => {
  const headers = { prefer: "return=representation, missing=default", "content-type": json };
  const init = { method: "POST", headers, body: '[{"id":7},{"id":8,"name":"Hall"}]' };
  const names = (node: PlanNode): string[] => [...node.Output, ...(node.Plans ?? []).flatMap(names)];
  expect(names(await explain("/halls?columns=id,name,wall", json, init)).join()).toContain("|| elem.value))");
});
