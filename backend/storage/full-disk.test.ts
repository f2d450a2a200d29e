import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSmallDisk } from "#tests/helpers/small-disk.ts";
import { openFiles } from "#tests/helpers/storage/open-files.ts";
import { openStorage } from "#tests/helpers/storage/storage-server.ts";
import { createDiskStore } from "./files/disk-store.ts";

const { folder, isMounted, remove } = createSmallDisk(1);
afterAll(remove);

test.skipIf(!isMounted)(
  "a full disk is reported as such and leaves no partial files, and smaller files are still accepted",
  async () => {
    const testServer = await openStorage({
      workFolder: folder,
      store: createDiskStore(join(folder, "files")),
    });
    try {
      await testServer.query("insert into storage.buckets (id, name) values ('closed', 'closed')");
      const files = testServer.as("server").from("closed");
      expect((await files.upload("large.bin", Buffer.alloc(3_000_000))).error).toMatchObject({
        status: 507,
        statusCode: "507",
        message: "There is no space left to store this file",
      });
      expect(await testServer.query("select from storage.objects")).toEqual([]);
      expect(await readdir(join(folder, "incoming"))).toEqual([]);
      const begun = await testServer.request("POST", "/upload/resumable", {
        as: "server",
        headers: {
          "tus-resumable": "1.0.0",
          "upload-length": "3000000",
          "upload-metadata": `bucketName ${btoa("closed")},objectName ${btoa("tus.bin")}`,
          "content-type": "application/offset+octet-stream",
        },
        body: Buffer.alloc(3_000_000) as never,
      });
      expect(begun.status).toBe(507);
      expect(await readdir(join(folder, "resumable"))).toEqual([]);
      expect((await files.upload("small.bin", Buffer.alloc(300_000))).error).toBe(null);
    } finally {
      await testServer.close();
    }
  },
);

/** Of 1 MiB, none of these fits twice: as it arrived, and where it is stored. */
test.skipIf(!isMounted).each([
  ["a whole upload", 700_000, false],
  ["a piece with a checksum", 900_000, true],
])("%s that a full disk refuses is closed each time that it is tried", async (_, length, isChecked) => {
  const body = Buffer.alloc(700_000);
  const sum = createHash("sha1").update(body).digest("base64");
  const testServer = await openStorage({ workFolder: folder, store: createDiskStore(join(folder, "files")) });
  try {
    await testServer.query("insert into storage.buckets (id, name) values ('closed', 'closed')");
    const tus = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" };
    const begun = await testServer.request("POST", "/upload/resumable", {
      as: "server",
      headers: {
        ...tus,
        "upload-length": String(length),
        "upload-metadata": `bucketName ${btoa("closed")},objectName ${btoa("tus.bin")}`,
      },
    });
    const path = new URL(begun.headers.get("location") ?? "", "http://backend").pathname;
    const at = path.slice(path.indexOf("/upload/resumable"));
    const before = await openFiles(folder);
    for (let attempt = 0; attempt < 3; attempt++) {
      const { headers } = await testServer.request("HEAD", at, { as: "server", headers: tus });
      const offset = Number(headers.get("upload-offset"));
      const answer = await testServer.request("PATCH", at, {
        as: "server",
        headers: {
          ...tus,
          "upload-offset": String(offset),
          ...(isChecked && { "upload-checksum": `sha1 ${sum}` }),
        },
        body: (isChecked ? body : body.subarray(offset)) as never,
      });
      expect(answer.status).toBe(507);
    }
    await expect.poll(() => openFiles(folder)).toEqual(before);
    await testServer.request("DELETE", at, { as: "server", headers: tus });
  } finally {
    await testServer.close();
  }
});
