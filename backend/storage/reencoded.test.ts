import { PutObjectCommand } from "@aws-sdk/client-s3";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { animation, picture } from "#tests/helpers/storage/pictures.ts";
import { ownersClient } from "#tests/helpers/storage/s3-clients.ts";
import { openStorage, type StorageTestServer } from "#tests/helpers/storage/storage-server.ts";

let testServer: StorageTestServer;
const faces = () => testServer.as("server").from("faces");

beforeAll(async () => {
  testServer = await openStorage({ reencodedBuckets: ["faces", "seen", "open"] });
  await testServer.query(
    `insert into storage.buckets (id, name, file_size_limit, allowed_mime_types) values
       ('faces', 'faces', null, '{image/png,image/jpeg,image/webp}'),
       ('seen', 'seen', null, '{image/png,image/jpeg,image/webp}'),
       ('open', 'open', null, null), ('anything', 'anything', null, null)`,
  );
});
afterAll(() => testServer.close());

const PLACE = "51/1 30/1 26/1";
const WORDS = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><!-- taken at the harbor --></x:xmpmeta>";

/** As taken by a phone held upright: with location, camera model and text metadata. */
async function photo(format: "png" | "jpeg" | "webp"): Promise<Buffer> {
  const taken = await sharp(await picture("png", 80, 60))
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Artist: "Ana" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: PLACE } })
    .withXmp(WORDS)
    .toFormat(format)
    .toBuffer();
  const { exif, xmp } = await sharp(taken).metadata();
  expect([exif?.includes("Ana"), xmp?.includes("harbor")]).toEqual([true, true]);
  return taken;
}

async function expectNoMetadata(name: string, format: string, bucket = "faces"): Promise<void> {
  const { data } = await testServer.as("server").from(bucket).download(name);
  const bytes = Buffer.from(await (data as Blob).arrayBuffer());
  const { exif, xmp, iptc, icc, orientation, ...header } = await sharp(bytes).metadata();
  expect([exif, xmp, iptc, icc, orientation]).toEqual(Array(5).fill(undefined));
  for (const word of ["Exif", "Ana", "harbor"]) expect(bytes.includes(word), word).toBe(false);
  // Rotated upright, per the EXIF orientation.
  expect([header.format, header.width, header.height]).toEqual([format, 60, 80]);
  const [row] = await testServer.query(
    "select (metadata ->> 'size')::integer as size from storage.objects where bucket_id = $1 and name = $2",
    [bucket, name],
  );
  expect(row?.size).toBe(bytes.length);
}

test.each(["png", "jpeg", "webp"] as const)("a %s keeps no camera metadata", async (format) => {
  const name = `upload.${format}`;
  const { error } = await faces().upload(name, await photo(format), { contentType: `image/${format}` });
  expect(error).toBe(null);
  await expectNoMetadata(name, format);
  expect(await testServer.incoming()).toEqual([]);
});

test("nor by any other way of uploading: a signed URL, a resumable upload, S3", async () => {
  const content = await photo("jpeg");
  const contentType = "image/jpeg";
  const { data } = await faces().createSignedUploadUrl("signed.jpg");
  const signed = await faces().uploadToSignedUrl("signed.jpg", data?.token ?? "", content, { contentType });
  expect(signed.error).toBe(null);
  await expectNoMetadata("signed.jpg", "jpeg");

  const fields = { bucketName: "faces", objectName: "pieces.jpg", contentType };
  const pieces = await testServer.request("POST", "/upload/resumable", {
    as: "server",
    headers: {
      "tus-resumable": "1.0.0",
      "content-type": "application/offset+octet-stream",
      "upload-length": String(content.length),
      "upload-metadata": Object.entries(fields)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(","),
    },
    body: content as never,
  });
  expect(pieces.status).toBe(201);
  await expectNoMetadata("pieces.jpg", "jpeg");

  const owner = ownersClient(testServer);
  await owner.send(
    new PutObjectCommand({ Bucket: "faces", Key: "s3.jpg", Body: content, ContentType: contentType }),
  );
  owner.destroy();
  await expectNoMetadata("s3.jpg", "jpeg");
});

test("content that is not a picture of its type is refused without a trace, even if the bucket allows all types", async () => {
  const before = await testServer.files();
  const open = testServer.as("server").from("open");
  const attempts = [
    faces().upload("no.png", "no picture", { contentType: "image/png" }),
    open.upload("no.png", "no picture", { contentType: "image/png" }),
    open.upload("no.txt", "no picture", { contentType: "text/plain" }),
    open.upload("no.png", await photo("jpeg"), { contentType: "image/png" }),
    open.upload("cut.png", (await photo("png")).subarray(0, -100), { contentType: "image/png" }),
  ];
  for (const attempt of attempts) expect((await attempt).error).toMatchObject({ statusCode: "415" });
  expect(await testServer.files()).toEqual(before);
  expect(await testServer.incoming()).toEqual([]);
});

test("a picture that exceeds the bucket's limit once re-encoded is refused", async () => {
  // Noise, small because of its low quality.
  const noise = await sharp({
    create: {
      width: 700,
      height: 700,
      channels: 3,
      background: "white",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 20 })
    .toBuffer();
  await testServer.query("update storage.buckets set file_size_limit = $1 where id = 'faces'", [
    noise.length,
  ]);
  const { error } = await faces().upload("noise.jpg", noise, { contentType: "image/jpeg" });
  await testServer.query("update storage.buckets set file_size_limit = null where id = 'faces'");
  expect(error).toMatchObject({ statusCode: "413" });
  expect(await testServer.incoming()).toEqual([]);
});

test("pictures cannot be copied or moved in from a bucket without re-encoding, but can between re-encoding buckets", async () => {
  const anything = testServer.as("server").from("anything");
  await anything.upload("photo.jpg", await photo("jpeg"), { contentType: "image/jpeg" });
  const elsewhere = { destinationBucket: "seen" };
  for (const way of ["move", "copy"] as const) {
    const { error } = await anything[way]("photo.jpg", `${way}.jpg`, elsewhere);
    expect(error).toMatchObject({ message: "Pictures come into this bucket by an upload only" });
    expect((await faces().copy("upload.jpeg", `${way}.jpg`, elsewhere)).error).toBe(null);
    await expectNoMetadata(`${way}.jpg`, "jpeg", "seen");
  }
  await anything.move("photo.jpg", "moved.jpg");
  const { data } = await anything.download("moved.jpg");
  expect((await sharp(await (data as Blob).arrayBuffer()).metadata()).exif).toBeDefined();
});

test("animations stay animated", async () => {
  const moving = await sharp(await animation(), { animated: true })
    .webp()
    .toBuffer();
  expect((await faces().upload("moving.webp", moving, { contentType: "image/webp" })).error).toBe(null);
  const { data } = await faces().download("moving.webp");
  expect((await sharp(await (data as Blob).arrayBuffer()).metadata()).pages).toBe(2);
});
