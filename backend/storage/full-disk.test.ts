import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSmallDisk } from "#tests/helpers/small-disk.ts";
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
