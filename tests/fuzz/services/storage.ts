import { routes } from "#backend/storage/endpoints/routes.ts";
import type { Chance } from "#tests/helpers/chance.ts";
import type { FuzzRequest, Who } from "../fuzz-request.ts";
import { mutateBytes, mutateRequest } from "../mutate.ts";
import { noiseBytes, oddText } from "../odd-values.ts";

const ENDPOINTS = Object.keys(routes);
const BUCKETS = ["fuzz", "fuzz", "fuzz", "item-images", "avatars", "avatar-uploads", "nope"];
const PATHS = [
  "a.txt",
  "dot.png",
  "folder/b.txt",
  "{{Ana.id}}/me.png",
  "folder",
  "fresh-{{number}}.bin",
  "ä ö.txt",
];
const WHO: Who[] = ["visitor", "Ana", "Ana", "Ben", "Eve", "server", "server", "nobody"];
const UUID = "a0000000-0000-4000-8000-00000000000a";

/** A one-pixel picture. */
export const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const BODIES: Record<string, (chance: Chance) => unknown> = {
  "/bucket": (chance) => ({
    id: "fuzz-{{number}}",
    name: "fuzz-{{number}}",
    public: chance.chance(0.5),
    file_size_limit: chance.pick([null, 1000, "1MB"]),
    allowed_mime_types: chance.pick([null, ["image/*"]]),
  }),
  "/bucket/{bucket}": () => ({ public: true }),
  "/object/list/{bucket}": (chance) => ({
    prefix: chance.pick(["", "folder", "a"]),
    limit: chance.pick([1, 100, 1000]),
    offset: chance.pick([0, 2]),
    sortBy: {
      column: chance.pick(["name", "created_at", "updated_at"]),
      order: chance.pick(["asc", "desc"]),
    },
    search: chance.pick(["", "b"]),
  }),
  "/object/list-v2/{bucket}": (chance) => ({
    prefix: chance.pick(["", "folder/"]),
    limit: chance.pick([1, 100]),
    with_delimiter: chance.chance(0.5),
    cursor: chance.pick([undefined, "YQ=="]),
    sortBy: { column: "name", order: "asc" },
  }),
  "/object/move": (chance) => ({
    bucketId: "fuzz",
    sourceKey: chance.pick(PATHS),
    destinationKey: chance.pick(PATHS),
    destinationBucket: chance.pick([undefined, "avatars"]),
  }),
  "/object/copy": (chance) => ({
    bucketId: "fuzz",
    sourceKey: chance.pick(PATHS),
    destinationKey: chance.pick(PATHS),
    copyMetadata: chance.chance(0.5),
    metadata: { cacheControl: "max-age=60" },
  }),
  "/object/sign/{bucket}": (chance) => ({ expiresIn: 60, paths: [chance.pick(PATHS), chance.pick(PATHS)] }),
  "/object/sign/{bucket}/{path*}": (chance) => ({
    expiresIn: chance.pick([1, 60, 1e12]),
    transform: chance.pick([undefined, { width: 10, height: 10, resize: "cover" }]),
  }),
  "/object/{bucket}": (chance) => ({ prefixes: [chance.pick(PATHS)] }),
};

/** Each storage endpoint with a fitting body, and S3's paths; then mutated. */
export function fuzzStorage(chance: Chance): FuzzRequest {
  const request = chance.chance(0.1) ? askS3(chance) : askStorage(chance);
  request.who = chance.pick(WHO);
  return mutateRequest(chance, request);
}

function askStorage(chance: Chance): FuzzRequest {
  const [method = "", pattern = ""] = chance.pick(ENDPOINTS).split(" ");
  const path = fill(chance, pattern);
  const request: FuzzRequest = { who: "visitor", method, path: `/storage/v1${path}`, query: [], headers: {} };
  const body = BODIES[pattern];
  if (body && method !== "GET") {
    request.headers["content-type"] = "application/json";
    request.body = JSON.stringify(body(chance));
  } else if (pattern.startsWith("/upload/resumable")) resume(chance, request);
  else if (method === "POST" || method === "PUT") upload(chance, request);
  else if (pattern.includes("/render/")) transform(chance, request);
  if (pattern.includes("sign")) request.query.push(["token", chance.pick(["{{forged}}", "x.y.z", ""])]);
  if (method === "GET" && chance.chance(0.1))
    request.query.push(["download", chance.pick(["", "x.txt", oddText(chance)])]);
  return request;
}

function fill(chance: Chance, pattern: string): string {
  return pattern
    .replace("{bucket}", () => chance.pick(BUCKETS))
    .replace("{path*}", () => encodeURI(chance.pick(PATHS)).replaceAll("%7B", "{").replaceAll("%7D", "}"))
    .replace("{id}", () => chance.pick([UUID, "x"]));
}

function upload(chance: Chance, request: FuzzRequest): void {
  const content = chance.pick([
    DOT,
    Buffer.from("some text"),
    Buffer.alloc(0),
    noiseBytes(chance, 200),
    mutateBytes(chance, DOT),
  ]);
  if (chance.chance(0.3)) request.headers["x-upsert"] = "true";
  if (chance.chance(0.2)) request.headers["x-metadata"] = chance.pick(["e30=", "eyJhIjoxfQ==", "!"]);
  if (chance.chance(0.5)) {
    request.headers["content-type"] = chance.pick(["image/png", "text/plain", "application/octet-stream"]);
    request.body = content;
    return;
  }
  const boundary = "----fuzz";
  const part = (name: string, more = "") =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`;
  request.headers["content-type"] = `multipart/form-data; boundary=${boundary}`;
  request.body = Buffer.concat([
    Buffer.from(
      `${part("cacheControl")}\r\n3600\r\n${part("", '; filename="x.png"')}content-type: image/png\r\n\r\n`,
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  // Valid forms are well covered; broken ones are what matters.
  if (chance.chance(0.3)) request.body = mutateBytes(chance, request.body);
}

function resume(chance: Chance, request: FuzzRequest): void {
  const encode = (text: string) => Buffer.from(text).toString("base64");
  request.headers["tus-resumable"] = "1.0.0";
  if (request.method === "POST") {
    request.headers["upload-length"] = chance.pick(["9", "0", "1000000000000"]);
    request.headers["upload-metadata"] =
      `bucketName ${encode("fuzz")},objectName ${encode(chance.pick(PATHS))},contentType ${encode("text/plain")}`;
    if (chance.chance(0.2))
      request.headers["upload-concat"] = chance.pick([
        "partial",
        `final;/storage/v1/upload/resumable/${UUID}`,
      ]);
    if (chance.chance(0.2)) request.headers["upload-defer-length"] = "1";
  }
  if (request.method === "HEAD" || request.method === "OPTIONS" || request.method === "DELETE") return;
  request.headers["content-type"] = "application/offset+octet-stream";
  request.headers["upload-offset"] = "0";
  if (chance.chance(0.3))
    request.headers["upload-checksum"] = chance.pick(["sha1 x", `sha1 ${encode("x")}`, "md5"]);
  request.body = Buffer.from("some text");
}

function transform(chance: Chance, request: FuzzRequest): void {
  for (const [name, values] of [
    ["width", ["10", "2500", "0", "99999"]],
    ["height", ["10", "1"]],
    ["resize", ["cover", "contain", "fill"]],
    ["quality", ["20", "100", "1000"]],
    ["format", ["origin", "webp", "avif"]],
  ] as const)
    if (chance.chance(0.5)) request.query.push([name, chance.pick<string>(values)]);
}

function askS3(chance: Chance): FuzzRequest {
  const scope = "20261122/us-east-1/s3/aws4_request";
  const headers = {
    authorization: `AWS4-HMAC-SHA256 Credential={{s3}}/${scope}, SignedHeaders=host;x-amz-date, Signature=${"a".repeat(64)}`,
    "x-amz-date": "20261122T040000Z",
    "x-amz-content-sha256": chance.pick(["UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "x"]),
  };
  const path = `/storage/v1/s3/${chance.pick(["", "fuzz", "fuzz/a.txt", "fuzz/x/y"])}`;
  const query = chance.pick<[string, string][]>([
    [],
    [["list-type", "2"]],
    [["uploads", ""]],
    [
      ["uploadId", UUID],
      ["partNumber", "1"],
    ],
    [["delete", ""]],
    [
      ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
      ["X-Amz-Expires", "60"],
    ],
  ]);
  return {
    who: "nobody",
    method: chance.pick(["GET", "PUT", "POST", "DELETE", "HEAD"]),
    path,
    query,
    headers,
    body: "<Delete><Object><Key>a.txt</Key></Object></Delete>",
  };
}
