import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRestWorkshop, type RestTestServer } from "./rest-server.ts";

let shop: RestTestServer;

beforeAll(async () => {
  shop = await openRestWorkshop();
});
afterAll(() => shop.close());

async function ask(path: string, accept: string, init: RequestInit = {}) {
  const response = await shop.request(path, { ...init, headers: { accept, ...init.headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    bytes,
    text: String(bytes),
    response,
  };
}

const UTF8 = "; charset=utf-8";

describe("a function that returns a media type", () => {
  const answers: [string, string, string, string][] = [
    ["/rpc/hello", "text/plain", `text/plain${UTF8}`, "Hello"],
    ["/rpc/page", "text/html", "text/html", "<p>Hello</p>"],
    ["/rpc/page", "application/xhtml+xml,text/html;q=0.9,*/*;q=0.8", "text/html", "<p>Hello</p>"],
    ["/rpc/dots", "image/x-dots, */*", "image/x-dots", "\u0000\ufffdA"],
    ["/rpc/no_dots", "image/x-dots", "image/x-dots", ""],
    ["/rpc/hello", "*/*", `application/json${UTF8}`, '"Hello"'],
    ["/rpc/hello", "application/json", `application/json${UTF8}`, '"Hello"'],
    ["/rpc/root", "application/openapi+json", `application/openapi+json${UTF8}`, '{"swagger": "2.0"}'],
    ["/rpc/sheet", "text/xml", `text/xml${UTF8}`, "<sheet/>\n"],
    ["/rpc/anything", "some/thing", "application/octet-stream", "some/thing"],
    ["/rpc/anything", "*/*", "application/octet-stream", "*/*"],
    ["/rpc/anything", "application/json", "application/octet-stream", "application/json"],
  ];
  test.each(answers)("%s for %s is %s", async (path, accept, type, text) => {
    expect(await ask(path, accept)).toMatchObject({ status: 200, type, text });
    const posted = await ask(path, accept, { method: "POST" });
    expect(posted).toMatchObject({ status: 200, type, text });
  });

  test("returns its bytes unchanged", async () => {
    expect((await ask("/rpc/dots", "image/x-dots")).bytes).toEqual(Buffer.from([0, 255, 65]));
  });

  test("sets the response's status even if the requested range is past its value", async () => {
    expect(await ask("/rpc/stamp", "text/xml")).toMatchObject({ status: 202, text: "<stamp/>" });
    expect(await ask("/rpc/stamp?offset=1", "text/xml")).toMatchObject({ status: 202, text: "" });
  });
});

describe("an aggregate over a table's rows", () => {
  test("answers for its media type, replacing a built-in one, with its own headers", async () => {
    const { status, type, text, response } = await ask("/workers?order=id", "text/csv");
    expect([status, type, text]).toEqual([200, `text/csv${UTF8}`, "no;who\n1;Ann\n2;Bo\n3;Cy\n"]);
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="workers.csv"');
    expect(response.headers.get("content-range")).toBe("0-2/*");
  });

  test("answers in bytes, filtered", async () => {
    const { type, bytes } = await ask("/workers?id=eq.2", "image/x-dots");
    expect([type, bytes]).toEqual(["image/x-dots", Buffer.from([0, 0, 0, 2])]);
  });

  test("answers for a function that returns such rows, and for a write's representation", async () => {
    expect((await ask("/rpc/all_workers?id=eq.3", "image/x-dots")).bytes).toEqual(Buffer.from([0, 0, 0, 3]));
    const written = await ask("/workers", "text/csv", {
      method: "POST",
      body: JSON.stringify({ id: 9, name: "Di" }),
      headers: { "content-type": "application/json", prefer: "return=representation" },
    });
    expect([written.status, written.text]).toEqual([201, "no;who\n9;Di\n"]);
  });

  const notWhole = ["select=id", "select=id,name", "select=name,id", "select=*,shifts(worker_id)"];
  test.each(notWhole)("accepts whole rows only, not %s", async (query) => {
    expect(await ask(`/workers?${query}`, "image/x-dots")).toMatchObject({ status: 406 });
  });

  test("leaves a selection to the built-in CSV", async () => {
    expect((await ask("/workers?select=name&order=id", "text/csv")).text).toBe("name\nAnn\nBo\nCy");
  });

  test("of any type answers for any rows and selections", async () => {
    const { type, text } = await ask("/workers?select=name,id&order=id&limit=2", "text/x-rows");
    expect([type, text]).toEqual(["text/x-rows", "(Ann,1)\n(Bo,2)\n"]);
    expect((await ask("/machines?select=id,label&id=lt.3", "text/x-rows")).text).toBe("(1,N1!)\n(2,N2!)\n");
    expect((await ask("/rpc/all_workers?id=eq.1", "text/x-rows")).text).toBe("(1,Ann)\n");
  });

  test("for any media type answers every request for its view", async () => {
    for (const accept of ["a/b", "*/*", "application/json", "text/csv"]) {
      const { type, text } = await ask("/kinds_as_asked?id=eq.1", accept);
      expect([type, text]).toEqual(["application/octet-stream", `Saw as ${accept}\n`]);
    }
  });

  test("does not affect PostgREST's own media types", async () => {
    const { type, text } = await ask("/kinds_as_asked?id=eq.1", "application/vnd.pgrst.object+json");
    expect([type, text]).toEqual([`application/vnd.pgrst.object+json${UTF8}`, '{"id":1,"name":"Saw"}']);
  });
});

describe("a media type without a handler is refused", () => {
  const refused: [string, string][] = [
    ["/halls", "text/plain"],
    ["/halls", "undefined/undefined"],
    ["/halls", "undefined"],
    ["/rpc/plain_text", "text/plain"],
    ["/rpc/hellos", "text/plain"],
    ["/rpc/hello", "text/xml"],
    ["/rpc/all_workers", "application/octet-stream"],
  ];
  test.each(refused)("%s for %s", async (path, accept) => {
    const { status, text } = await ask(path, accept);
    expect([status, JSON.parse(text)]).toEqual([
      406,
      {
        code: "PGRST107",
        message: `None of these media types are available: ${accept}`,
        details: null,
        hint: null,
      },
    ]);
  });

  test("even if the same request without the header was answered", async () => {
    const status = async (headers: HeadersInit) => (await shop.request("/jobs?id=eq.7", { headers })).status;
    expect(await status({})).toBe(200);
    expect(await status({ accept: "undefined" })).toBe(406);
  });

  test("unless another acceptable type is listed", async () => {
    expect(await ask("/halls", "text/plain, application/json")).toMatchObject({ status: 200 });
  });
});
