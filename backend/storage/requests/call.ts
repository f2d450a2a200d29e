import type { Readable } from "node:stream";
import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Actor } from "../database/run-as.ts";
import type { StorageService } from "../storage-service.ts";

/** An endpoint's input. */
export type Call = {
  request: HttpRequest;
  /** The path below the service's, without the query, as sent. */
  path: string;
  /** Path parameters, decoded once. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** Authenticates the caller. @throws StorageError if the key or token is missing or invalid */
  actor(): Promise<Actor>;
};

/** `body` is sent as JSON, unless there is a `stream` or `bytes`. */
export type Reply = {
  status: number;
  body?: unknown;
  bytes?: Uint8Array;
  stream?: Readable;
  headers?: Record<string, string>;
};

export type Endpoint = (call: Call, service: StorageService) => Promise<Reply>;
