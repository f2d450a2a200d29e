import { expect, test } from "vitest";
import { keptAddress, keptKind, mayKeep } from "./kept-kind.ts";

const ORIGIN = "https://values.example";
const ask = (path: string, more: Partial<Request> = {}) =>
  keptKind(
    { method: "GET", mode: "cors", headers: new Headers(), url: new URL(path, ORIGIN).href, ...more },
    ORIGIN,
  );

test.each([
  ["/", "page"],
  ["/values?q=kit", "page"],
  ["/calculator?you=kitsune", "page"],
  ["/fruits/kitsune", "page"],
  ["/about", "page"],
])("the page %s is cached", (path, kind) => {
  expect(ask(path, { mode: "navigate" })).toBe(kind);
});

test.each([
  "/account",
  "/admin",
  "/auth?code=1",
  "/chat",
  "/community",
  "/community/SwiftSchooner",
  "/history",
  "/oauth/consent",
  "/share/trade.png",
  "/fruits/kitsune/more",
])("the page %s is not cached", (path) => {
  expect(ask(path, { mode: "navigate" })).toBeNull();
  expect(ask(`${path.split("?")[0]}.data`)).toBeNull();
});

test.each([
  "/rest/v1/items",
  "/auth/v1/user",
  "/realtime/v1/websocket",
  "/functions/v1/contact",
  "/storage/v1/object/item-images/a.png",
  "/storage/v1/object/public/avatars/someone/a.png",
  "/storage/v1/render/image/public/avatars/someone/a.png",
  "/storage/v1/object/authenticated/item-images/a.png",
  "/live",
  "/healthz",
  "/worker.js",
  "/ads/frame/values_grid",
])("no service response is cached: %s", (path) => {
  expect(ask(path)).toBeNull();
});

test("data, files and item images are cached, unless the request is authenticated or goes to another site", () => {
  expect(ask("/values.data?_routes=routes%2Fvalues%2Froute")).toBe("data");
  expect(ask("/assets/root-abc.js")).toBe("asset");
  expect(ask("/assets/drawings-abc.svg")).toBe("asset");
  expect(ask("/favicon.svg")).toBe("picture");
  expect(ask("/storage/v1/render/image/public/item-images/a.png?width=40")).toBe("picture");
  expect(ask("/values.data", { headers: new Headers({ authorization: "Bearer x" }) })).toBeNull();
  expect(ask("/values", { method: "POST", mode: "navigate" })).toBeNull();
  expect(ask("https://other.example/assets/root-abc.js")).toBeNull();
});

test("private and partial responses, and pages that a network gives out in place of files and data, are not cached", () => {
  const answer = (headers: Record<string, string>, status = 200) =>
    mayKeep("data", Object.assign(new Response("", { headers, status }), {}) as Response);
  const basic = (response: Response) => Object.defineProperty(response, "type", { value: "basic" });
  expect(mayKeep("data", basic(new Response("")))).toBe(true);
  expect(mayKeep("data", basic(new Response("", { headers: { "cache-control": "no-store" } })))).toBe(false);
  expect(mayKeep("data", basic(new Response("", { headers: { "cache-control": "private" } })))).toBe(false);
  expect(mayKeep("data", basic(new Response("", { headers: { "content-length": "1000001" } })))).toBe(false);
  expect(mayKeep("data", basic(new Response("", { status: 503 })))).toBe(false);
  expect(answer({})).toBe(false);
  const page = () => basic(new Response("<h1>Log in</h1>", { headers: { "content-type": "text/html" } }));
  expect(mayKeep("page", page())).toBe(true);
  for (const kind of ["data", "asset", "picture"] as const) expect(mayKeep(kind, page())).toBe(false);
});

test("a page is cached once for all queries, its data once per set of loaders", () => {
  expect(keptAddress(`${ORIGIN}/values?q=kit`)).toBe(`${ORIGIN}/values`);
  expect(keptAddress(`${ORIGIN}/values.data?q=kit&_routes=routes%2Fvalues%2Froute`)).toBe(
    `${ORIGIN}/values.data?_routes=routes%2Fvalues%2Froute`,
  );
});
