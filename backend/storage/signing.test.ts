import { SignJWT } from "jose";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { picture } from "#tests/helpers/storage/pictures.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const files = (person: "server" | "Ana" | "Ben" | "visitor" = "server") =>
  testServer.as(person).from("closed");

beforeAll(async () => {
  testServer = await openStorage();
  await testServer.query(
    `insert into storage.buckets (id, name, public) values ('closed', 'closed', false);
     create policy "Ana reads" on storage.objects for select to authenticated
       using (bucket_id = 'closed' and name like 'ana/%' and auth.uid()::text like 'a%');
     create policy "Ana adds" on storage.objects for insert to authenticated
       with check (bucket_id = 'closed' and name like 'ana/%' and auth.uid()::text like 'a%');`,
  );
  await files().upload("ana/secret.txt", "for Ana", { contentType: "text/plain" });
  await files().upload("ana/photo.png", await picture("png", 100, 50), { contentType: "image/png" });
  await files().upload("other.txt", "not for Ana");
});
afterAll(() => testServer.close());

describe("refused", () => {
  test("is signing a URL for an object that the caller may not read", async () => {
    for (const person of ["visitor", "Ben"] as const) {
      const { error } = await files(person).createSignedUrl("ana/secret.txt", 60);
      expect(error).toMatchObject({ statusCode: "404", message: "Object not found" });
    }
    const many = await files("Ana").createSignedUrls(["ana/secret.txt", "other.txt"], 60);
    expect(many.data).toMatchObject([
      { path: "ana/secret.txt", error: null, signedUrl: expect.stringContaining("token=") },
      {
        path: "other.txt",
        error: "Either the object does not exist or you do not have access to it",
        signedUrl: null,
      },
    ]);
  });

  test("is signing a URL for an upload that the caller may not make", async () => {
    for (const person of ["visitor", "Ben"] as const) {
      const { error } = await files(person).createSignedUploadUrl("ana/new.txt");
      expect(error).toMatchObject({ statusCode: "403" });
    }
    expect((await files("Ana").createSignedUploadUrl("ana/secret.txt")).error).toMatchObject({
      statusCode: "409",
    });
  });

  test("is a token that is missing, forged, for another object or purpose, or expired", async () => {
    const { data } = await files("Ana").createSignedUrl("ana/secret.txt", 60);
    const token = new URL(data?.signedUrl ?? "").searchParams.get("token") ?? "";
    const get = async (path: string, query: string) =>
      (await fetch(`${testServer.url}/storage/v1/object/sign/closed/${path}?${query}`)).json();
    expect(await get("ana/secret.txt", "")).toMatchObject({
      message: "querystring must have required property 'token'",
    });
    expect(await get("other.txt", `token=${token}`)).toMatchObject({ code: "InvalidSignature" });
    const forged = await new SignJWT({ scope: "download", url: "closed/other.txt" })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode("only these tests sign with this secret"));
    expect(await get("other.txt", `token=${forged}`)).toMatchObject({ code: "InvalidJWT" });
    const upload = await files("Ana").createSignedUploadUrl("ana/upload.txt");
    expect(await get("ana/upload.txt", `token=${upload.data?.token}`)).toMatchObject({
      code: "InvalidSignature",
    });
    expect((await files("visitor").uploadToSignedUrl("ana/secret.txt", token, "x")).error).toMatchObject({
      code: "InvalidSignature",
    });
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ["Date"] });
    expect(await get("ana/secret.txt", `token=${token}`)).toMatchObject({
      statusCode: "400",
      code: "InvalidJWT",
      message: '"exp" claim timestamp check failed',
    });
    vi.useRealTimers();
  });

  test("is a URL's token used for anything else", async () => {
    const { data } = await files("Ana").createSignedUrl("ana/secret.txt", 60);
    const token = new URL(data?.signedUrl ?? "").searchParams.get("token") ?? "";
    const headers = { apikey: testServer.anonKey, authorization: `Bearer ${token}` };
    const answer = await testServer.request("GET", "/object/closed/ana/secret.txt", { as: null, headers });
    expect(await answer.json()).toMatchObject({ statusCode: "403" });
  });
});

test("anyone with the URL reads the object, under the chosen file name", async () => {
  const { data } = await files("Ana").createSignedUrl("ana/secret.txt", 60, { download: "letter.txt" });
  const answer = await fetch(data?.signedUrl ?? "");
  expect([answer.status, await answer.text()]).toEqual([200, "for Ana"]);
  expect(answer.headers.get("content-disposition")).toContain('filename="letter.txt"');
});

test("a signed picture is rendered as signed, whatever the request asks for", async () => {
  const transform = { width: 20, height: 10 };
  const { data } = await files("Ana").createSignedUrl("ana/photo.png", 60, { transform });
  const answer = await fetch(`${data?.signedUrl}&width=90`);
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([width, height]).toEqual([20, 10]);
  const plain = (data?.signedUrl ?? "").replace("/render/image/sign/", "/object/sign/");
  expect((await fetch(plain)).status).toBe(400);
  const downloaded = await files("Ana").download("ana/photo.png", { transform: { width: 30 } });
  expect((await sharp(await (downloaded.data as Blob).arrayBuffer()).metadata()).width).toBe(30);
});

test("numbers and truths are read from text, as the clients for Python and Dart send them", async () => {
  const ask = async (path: string, body: object) => {
    const answer = await testServer.request("POST", path, { as: "server", body: JSON.stringify(body) });
    return answer.json();
  };
  const transform = { width: "20", height: "10", quality: "80" };
  const { signedURL } = await ask("/object/sign/closed/ana/photo.png", { expiresIn: "60", transform });
  const drawn = await fetch(`${testServer.url}/storage/v1${signedURL}`);
  expect((await sharp(await drawn.arrayBuffer()).metadata()).width).toBe(20);
  expect(await ask("/object/sign/closed", { expiresIn: "60", paths: ["other.txt"] })).toMatchObject([
    { path: "other.txt", error: null },
  ]);
  expect(await ask("/object/list/closed", { prefix: "", limit: "1", offset: "1" })).toMatchObject([
    { name: "other.txt" },
  ]);
  expect(await ask("/bucket", { name: "told", public: "true" })).toEqual({ name: "told" });
  expect((await testServer.as("server").getBucket("told")).data?.public).toBe(true);
  for (const expiresIn of ["", "soon", "0", "1.5", null])
    expect(await ask("/object/sign/closed/other.txt", { expiresIn })).toMatchObject({
      code: "InvalidRequest",
    });
});

test("anyone with an upload URL uploads once, in the signer's name", async () => {
  const { data } = await files("Ana").createSignedUploadUrl("ana/given.txt");
  const upload = () => files("visitor").uploadToSignedUrl("ana/given.txt", data?.token ?? "", "given");
  expect(await upload()).toMatchObject({ error: null, data: { fullPath: "closed/ana/given.txt" } });
  expect((await upload()).error).toMatchObject({ statusCode: "409" });
  const [row] = await testServer.query("select owner_id from storage.objects where name = 'ana/given.txt'");
  expect(row?.owner_id).toMatch(/^a0000000/);
});
