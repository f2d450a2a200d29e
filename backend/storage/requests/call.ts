import type { Readable } from "node:stream";
import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Actor } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";

/** A request as the endpoints see it. */
export type Call = {
  request: HttpRequest;
  /** What the path names in braces, decoded once. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Who sends it. @throws StorageError without a key or token, or with one that does not hold */
  actor(): Promise<Actor>;
};

/** `body` becomes JSON, unless there is a `stream` or there are `bytes`. */
export type Reply = {
  status: number;
  body?: unknown;
  bytes?: Uint8Array;
  stream?: Readable;
  headers?: Record<string, string>;
};

export type Endpoint = (call: Call, service: StorageService) => Promise<Reply>;
