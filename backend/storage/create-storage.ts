import { type BackgroundWork, createBackgroundWork } from "#backend/http/background-work.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { percentDecode } from "#backend/http/percent-decode.ts";
import { createRouter } from "#backend/http/router.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { createByteCache, sizeOfText } from "#backend/memory/byte-cache.ts";
import { type ProcessGroup, SINGLE_PROCESS, shareOf } from "#backend/memory/process-group.ts";
import { createWorkQueue, type WorkQueue } from "#backend/memory/work-queue.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { toStorageError } from "./database/database-errors.ts";
import { routes } from "./endpoints/routes.ts";
import { isResumable, tusRefusal } from "./endpoints/upload/tus.ts";
import { createUploadLocks } from "./endpoints/upload/upload-locks.ts";
import { holdSmallFiles } from "./files/held-files.ts";
import { openIncoming } from "./files/incoming.ts";
import { MissingFileError, type ObjectStore } from "./files/object-store.ts";
import { openUploadStore } from "./files/upload-store.ts";
import { createImageRenderer } from "./images/image-renderer.ts";
import { authenticate } from "./requests/authenticate.ts";
import type { Reply } from "./requests/call.ts";
import { defaultStorageConfig, type StorageConfig } from "./storage-config.ts";
import { errorResponse, invalidKey, missingFile, StorageError, tooManyPictures } from "./storage-error.ts";
import type { S3Keys, StorageService } from "./storage-service.ts";
import { sweep } from "./sweep.ts";

export type StorageOptions = Partial<StorageConfig> & {
  /** Connected as the authenticator. */
  database: Database;
  verifier: TokenVerifier;
  store: ObjectStore;
  /** For incoming bodies and rendered images; must be on the same file system as a disk store. */
  workFolder: string;
  /** Signs URLs; changing it invalidates all signed URLs. */
  secret: string;
  /** Access keys of the S3 protocol, besides session tokens; none by default. */
  s3Keys?: S3Keys;
  /** The processes sharing the folder; none by default. */
  processGroup?: ProcessGroup;
  /** Receives a line for each failure not caused by the client; names no user and no object. */
  log: Log;
};

/**
 * storage/v1: Supabase's storage API over one database and one file store. Never rejects: every failure becomes a
 * response.
 */
export type Storage = HttpHandler & {
  /** Removes files that belong to no object; runs by itself every hour. */
  sweep(): Promise<void>;
  /** Resolves when the background work of responses already sent is done. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

export async function createStorage(options: StorageOptions): Promise<Storage> {
  const {
    database,
    verifier,
    store,
    workFolder,
    secret,
    s3Keys = NO_KEYS,
    processGroup = SINGLE_PROCESS,
    log,
    ...chosen
  } = options;
  const config: StorageConfig = { ...defaultStorageConfig, ...chosen };
  const background = createBackgroundWork((cause) =>
    log(logText`storage: work after a response failed: ${describeCause(cause)}`, "error"),
  );
  const given = { config, database, verifier, store, secret, s3Keys };
  const service = await openService(given, { workFolder, processGroup, background });
  const find = createRouter(routes, (text) => percentDecode(text, () => invalidKey(text)));

  async function answer(request: HttpRequest): Promise<Reply> {
    const asked = request.url.slice(config.basePath.length);
    if (isS3(asked)) return (await loadS3()).answerS3(request, asked, service);
    const { path, query } = splitAddress(asked);
    const { method } = request;
    const match = find(method, path) ?? (method === "HEAD" ? find("GET", path) : null);
    if (!match) {
      const message = `Route ${request.method}:${path} not found`;
      throw new StorageError(404, "InvalidRequest", message, { hasOwnStatus: true });
    }
    const { endpoint, params } = match;
    const actor = async () => ({ identity: await authenticate(request, verifier), request });
    return endpoint({ request, path, params, query: new URLSearchParams(query), actor }, service);
  }

  const sweepOnce = async () => reportSweep(await sweep(service), log);
  await service.uploads.removeExpired();
  const sweeping = setInterval(
    () => processGroup.isLeader && background.run(sweepOnce),
    config.sweepEvery * 1000,
  ).unref();

  return {
    // Each endpoint reads the body itself: a file may be larger than memory.
    bodyAt: () => "stream",
    handle: (request) =>
      answer(request)
        .then(toResponse)
        .catch((cause) => refuse(toFailure(cause, request, log), request, config)),
    sweep: sweepOnce,
    settle: background.settle,
    async close() {
      clearInterval(sweeping);
      await background.settle();
      await store.close();
    },
  };
}

type Given = Pick<StorageService, "config" | "database" | "verifier" | "store" | "secret" | "s3Keys">;
type Surroundings = { workFolder: string; processGroup: ProcessGroup; background: BackgroundWork };

/** Opens the folders and queues that the endpoints share. */
async function openService(
  given: Given,
  { workFolder, processGroup, background }: Surroundings,
): Promise<StorageService> {
  const { config } = given;
  const store = holdSmallFiles(given.store, shareOf(config.heldBytes, processGroup));
  const incoming = await openIncoming(`${workFolder}/incoming`);
  const share = {
    uploads: config.resumablePerPerson,
    bytes: Math.max(config.resumableBytesPerPerson, config.fileSizeLimit),
  };
  const uploads = await openUploadStore(`${workFolder}/resumable`, share, processGroup);
  const pictures = openPictureQueue(config.images, processGroup);
  const kept = {
    ...config.images,
    cacheBytes: shareOf(config.images.cacheBytes, processGroup),
    isShared: processGroup.size > 1,
  };
  const renderer = await createImageRenderer(`${workFolder}/rendered`, kept, pictures);
  return {
    ...given,
    store,
    incoming,
    uploads,
    renderer,
    pictures,
    pageEnds: createByteCache<string>({
      maxBytes: PAGE_ENDS_BYTES,
      sizeOf: sizeOfText,
      lifetime: PAGE_END_MS,
    }),
    lockUpload: createUploadLocks(processGroup),
    discard: (versions) =>
      background.run(async () => {
        await store.remove(versions);
        await renderer.forget(versions);
      }),
  };
}

function reportSweep({ orphans, removed }: Awaited<ReturnType<typeof sweep>>, log: Log): void {
  if (!removed)
    log(
      logText`storage: ${orphans} files belong to no object of this database. Is it the right database? They are kept`,
    );
  else if (orphans > 0) log(logText`storage: removed ${orphans} files that belonged to no object`);
}

/** Clients take turns within a process, and processes with each other. */
function openPictureQueue(images: StorageConfig["images"], processGroup: ProcessGroup): WorkQueue {
  const queue = createWorkQueue({ ...images, refusal: tooManyPictures });
  return { ...queue, run: (who, task) => queue.run(who, () => processGroup.runInTurn("picture", task)) };
}

const PAGE_ENDS_BYTES = 1024 * 1024;
/** After this time, the next page is found by counting from the start. */
const PAGE_END_MS = 60_000;

const NO_KEYS: S3Keys = { accessKeys: [], sessionSecrets: [] };

function toResponse({ status, body, bytes, stream, headers }: Reply): HttpResponse {
  if (body === undefined)
    return { status, headers: { ...headers }, body: bytes ?? null, ...(stream && { stream }) };
  return jsonResponse(status, body, { "cache-control": "no-store", ...headers });
}

/** Whether a path, relative to the service's base path, is an S3 request. */
function isS3(path: string): boolean {
  return path === "/s3" || path.startsWith("/s3/") || path.startsWith("/s3?");
}

/** Loaded with the first S3 request: starting without it is faster. */
const loadS3 = () => import("./s3/handle-s3.ts");

async function refuse(
  error: StorageError,
  request: HttpRequest,
  { basePath }: StorageConfig,
): Promise<HttpResponse> {
  const asked = request.url.slice(basePath.length);
  if (isS3(asked)) return (await loadS3()).s3Refusal(error, request);
  return isResumable(splitAddress(asked).path) ? tusRefusal(error) : errorResponse(error);
}

function toFailure(cause: unknown, { method }: HttpRequest, log: Log): StorageError {
  const known = toStorageError(cause);
  if (known instanceof StorageError) return known;
  if (cause instanceof MissingFileError) {
    log(
      logText`storage: an object's file is missing. If several machines each store files on their own disk, set S3_BUCKET for all of them.`,
      "error",
    );
    return missingFile();
  }
  log(logText`storage: ${fromOperator(method)} failed: ${describeCause(cause)}`, "error");
  return new StorageError(500, "InternalError", "Internal server error");
}
