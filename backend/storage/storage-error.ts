import type { HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";

/** All error codes of this service; clients tell errors apart by them. */
export type StorageErrorCode =
  | "AccessDenied"
  | "BadDigest"
  | "BucketAlreadyExists"
  | "DatabaseError"
  | "DatabaseTimeout"
  | "EntityTooLarge"
  | "EntityTooSmall"
  | "FeatureNotEnabled"
  | "IncompleteBody"
  | "InternalError"
  | "InvalidAccessKeyId"
  | "InvalidArgument"
  | "InvalidBucketName"
  | "InvalidChecksum"
  | "InvalidChunkSizeError"
  | "InvalidJWT"
  | "InvalidKey"
  | "InvalidMimeType"
  | "InvalidPart"
  | "InvalidPartNumber"
  | "InvalidPartOrder"
  | "InvalidPolicyDocument"
  | "InvalidRange"
  | "InvalidRequest"
  | "InvalidSignature"
  | "InvalidURI"
  | "InvalidUploadSignature"
  | "InvalidXRobotsTag"
  | "KeyAlreadyExists"
  | "MalformedXML"
  | "MetadataTooLarge"
  | "MethodNotAllowed"
  | "NoSuchBucket"
  | "NoSuchKey"
  | "NoSuchUpload"
  | "NoSuchVersion"
  | "NotImplemented"
  | "PreconditionFailed"
  | "RequestTimeTooSkewed"
  | "ResourceAlreadyExists"
  | "ResourceNotEmpty"
  | "SignatureDoesNotMatch"
  | "SlowDown"
  | "TusError";

type ErrorDetails = { error?: string; headers?: Record<string, string>; hasOwnStatus?: boolean };

/** An error reported to the client. `statusCode` is the actual status; the HTTP status is mostly 400, as upstream. */
export class StorageError extends Error {
  override name = "StorageError";
  readonly statusCode: number;
  readonly code: StorageErrorCode;
  /** The legacy short error name besides the code. */
  readonly error: string;
  readonly headers: Record<string, string>;
  /** Whether the actual status is the HTTP status, too. */
  readonly hasOwnStatus: boolean;

  constructor(
    statusCode: number,
    code: StorageErrorCode,
    message: string,
    { error = code, headers = {}, hasOwnStatus = false }: ErrorDetails = {},
  ) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.error = error;
    this.headers = headers;
    this.hasOwnStatus = hasOwnStatus || statusCode >= 500 || statusCode === 429 || statusCode === 416;
  }
}

export const noSuchBucket = () =>
  new StorageError(404, "NoSuchBucket", "Bucket not found", { error: "Bucket not found" });

export const noSuchKey = () => new StorageError(404, "NoSuchKey", "Object not found", { error: "not_found" });

/** The row exists, but its file was lost or is on another machine's disk. */
export const missingFile = () =>
  new StorageError(404, "NoSuchKey", "The file of this object is not kept by this server", {
    error: "not_found",
  });

export const accessDenied = (message = "Access denied", { hasOwnStatus = false } = {}) =>
  new StorageError(403, "AccessDenied", message, { error: "Unauthorized", hasOwnStatus });

/** @param feature starts a sentence; plural or uncountable */
export const notEnabled = (feature: string) =>
  new StorageError(403, "FeatureNotEnabled", `${feature}: this server has no such thing`);

export const alreadyExists = (
  code: "ResourceAlreadyExists" | "BucketAlreadyExists" | "KeyAlreadyExists" = "ResourceAlreadyExists",
) => new StorageError(409, code, "The resource already exists", { error: "Duplicate" });

export const tooLarge = () =>
  new StorageError(413, "EntityTooLarge", "The object exceeded the maximum allowed size", {
    error: "Payload too large",
  });

export const wrongType = (type: string) =>
  new StorageError(415, "InvalidMimeType", `mime type ${type} is not supported`, {
    error: "invalid_mime_type",
  });

export const malformedType = () =>
  new StorageError(415, "InvalidMimeType", "Invalid Content-Type header", { error: "invalid_mime_type" });

export const preconditionFailed = () =>
  new StorageError(
    412,
    "PreconditionFailed",
    "At least one of the pre-conditions you specified did not hold",
  );

export const invalidKey = (key: string) => new StorageError(400, "InvalidKey", `Invalid key: ${key}`);

export const invalidArgument = (message: string) => new StorageError(400, "InvalidArgument", message);

export const invalidRequest = (message: string) => new StorageError(400, "InvalidRequest", message);

export const invalidSignature = (message: string) => new StorageError(400, "InvalidSignature", message);

export const tooManyUploads = () =>
  new StorageError(
    429,
    "SlowDown",
    "Too many of your uploads are under way, please finish some of them first",
  );

export const tooManyPictures = () =>
  new StorageError(429, "SlowDown", "Too many pictures are being worked on, please try again later", {
    headers: { "retry-after": "2" },
  });

/** Whether it is certain that nothing was written. */
export function isRefusal(cause: unknown): boolean {
  return cause instanceof StorageError && cause.statusCode < 500;
}

/** Whether the same would be refused again. */
export function isFinal(cause: unknown): boolean {
  return isRefusal(cause) && (cause as StorageError).statusCode !== 429;
}

export function errorResponse(error: StorageError): HttpResponse {
  const { statusCode, code, message, headers } = error;
  return jsonResponse(
    error.hasOwnStatus ? statusCode : 400,
    { statusCode: String(statusCode), error: error.error, message, code },
    { "x-content-type-options": "nosniff", "cache-control": "no-store", ...headers },
  );
}
