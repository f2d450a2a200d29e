import { findLimits } from "../../objects/bucket-row.ts";
import { findParts, findUpload, listUploads as findUploads, MOST_PARTS } from "../../objects/part-rows.ts";
import { countOf, type S3Command } from "../s3-call.ts";
import { xmlReply } from "../xml.ts";
import { writerOf } from "./lists.ts";

const MOST = 1000;

/** GET /{bucket}/{key}?uploadId=… */
export const listParts: S3Command = async (call, service) => {
  const { query, bucket, key, actor } = call;
  const upload = await findUpload(service, actor, query.get("uploadId") ?? "", { bucket, key });
  const limit = countOf(query, "max-parts", MOST, MOST);
  const after = countOf(query, "part-number-marker", 0, MOST_PARTS);
  const found = await findParts(service, actor, upload, { after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const isTruncated = found.length > limit;
  return xmlReply("ListPartsResult", {
    Bucket: bucket,
    Key: key,
    UploadId: upload.id,
    StorageClass: "STANDARD",
    PartNumberMarker: after,
    NextPartNumberMarker: isTruncated ? page.at(-1)?.number : null,
    MaxParts: limit,
    IsTruncated: isTruncated,
    ...(upload.sums && {
      ChecksumAlgorithm: upload.sums.algorithm.toUpperCase(),
      ChecksumType: upload.sums.type,
    }),
    Part: page.map(({ number, size, etag, createdAt }) => ({
      PartNumber: number,
      LastModified: createdAt,
      ETag: etag,
      Size: size,
    })),
  });
};

/** GET /{bucket}?uploads */
export const listUploads: S3Command = async ({ query, bucket, actor }, service) => {
  await findLimits(service, actor, bucket);
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const limit = countOf(query, "max-uploads", MOST, MOST);
  const write = writerOf(query);
  const [key, id] = [query.get("key-marker") ?? "", query.get("upload-id-marker")];
  // Without an id, the marker skips all uploads of its key; a folder as marker skips everything in it.
  const after: [string, string] = [
    delimiter && key.endsWith(delimiter) ? `${key}\u{10ffff}` : key,
    id ?? "\u{10ffff}",
  ];
  const found = await findUploads(service, actor, {
    bucket,
    prefix,
    after: key === "" ? ["", ""] : after,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const isTruncated = found.length > limit;
  const folderOf = (name: string) => {
    const at = delimiter ? name.indexOf(delimiter, prefix.length) : -1;
    return at < 0 ? null : name.slice(0, at + delimiter.length);
  };
  const folders = new Set(page.map((upload) => folderOf(upload.key)).filter((folder) => folder !== null));
  const last = page.at(-1);
  return xmlReply("ListMultipartUploadsResult", {
    Bucket: bucket,
    KeyMarker: write(key),
    UploadIdMarker: id ?? "",
    NextKeyMarker: isTruncated && last ? write(last.key) : null,
    NextUploadIdMarker: isTruncated && last ? last.id : null,
    Prefix: write(prefix),
    ...(delimiter && { Delimiter: write(delimiter) }),
    MaxUploads: limit,
    ...(query.has("encoding-type") && { EncodingType: "url" }),
    IsTruncated: isTruncated,
    Upload: page
      .filter((upload) => folderOf(upload.key) === null)
      .map((upload) => ({
        Key: write(upload.key),
        UploadId: upload.id,
        StorageClass: "STANDARD",
        Initiated: upload.createdAt,
      })),
    CommonPrefixes: [...folders].map((folder) => ({ Prefix: write(folder) })),
  });
};
