import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStorage, type StorageHarbour } from "#tests/helpers/storage/storage-harbour.ts";

let harbour: StorageHarbour;

beforeAll(async () => {
  harbour = await openStorage();
  await harbour.query(
    "insert into storage.buckets (id, name, public) values ('open', 'open', true), ('closed', 'closed', false)",
  );
});
afterAll(() => harbour.close());

describe("by the official client", () => {
  test("what is uploaded is listed, told of, downloaded, served to everybody, and gone when removed", async () => {
    const files = harbour.as("server").from("open");
    const uploaded = await files.upload("folder/note.txt", "ahoy", { contentType: "text/plain" });
    expect(uploaded).toMatchObject({
      error: null,
      data: { path: "folder/note.txt", fullPath: "open/folder/note.txt" },
    });
    const again = await files.upload("folder/note.txt", "other");
    expect(again.error).toMatchObject({ statusCode: "409", message: "The resource already exists" });
    expect((await files.list("folder")).data).toMatchObject([
      { name: "note.txt", metadata: { size: 4, mimetype: "text/plain", cacheControl: "max-age=3600" } },
    ]);
    expect((await files.list()).data).toMatchObject([{ name: "folder", id: null }]);
    expect(await (await files.download("folder/note.txt")).data?.text()).toBe("ahoy");
    const served = await fetch(files.getPublicUrl("folder/note.txt").data.publicUrl);
    expect(await served.text()).toBe("ahoy");
    expect(served.headers.get("cache-control")).toBe("max-age=3600");
    expect((await files.info("folder/note.txt")).data).toMatchObject({ size: 4, contentType: "text/plain" });
    expect((await files.exists("folder/note.txt")).data).toBe(true);
    expect((await files.remove(["folder/note.txt"])).data).toMatchObject([{ name: "folder/note.txt" }]);
    expect((await files.exists("folder/note.txt")).data).toBe(false);
    await expect.poll(harbour.files).toEqual([]);
  });

  test("a form, a Blob and a stream carry a file as well", async () => {
    const files = harbour.as("server").from("closed");
    const blob = new Blob(["from a blob"], { type: "text/plain" });
    expect((await files.upload("blob.txt", blob, { metadata: { from: "blob" } })).error).toBe(null);
    expect((await files.info("blob.txt")).data).toMatchObject({
      metadata: { from: "blob" },
      contentType: "text/plain",
      cacheControl: "max-age=3600",
    });
    const stream = new Blob(["a".repeat(300_000)]).stream();
    expect((await files.upload("stream.txt", stream, { duplex: "half" })).error).toBe(null);
    expect((await files.download("stream.txt")).data?.size).toBe(300_000);
    expect((await files.update("stream.txt", "short")).error).toBe(null);
    expect(await (await files.download("stream.txt")).data?.text()).toBe("short");
  });
});
