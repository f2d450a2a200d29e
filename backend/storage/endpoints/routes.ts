import type { Routes } from "#backend/http/router.ts";
import type { Endpoint } from "../requests/call.ts";
import { createBucket } from "./bucket/create-bucket.ts";
import { getBucket, listBuckets } from "./bucket/read-buckets.ts";
import { deleteBucket, emptyBucket } from "./bucket/remove-bucket.ts";
import { updateBucket } from "./bucket/update-bucket.ts";
import { lifecycle } from "./bucket/versioning.ts";
import { copy } from "./object/copy.ts";
import { download, downloadPublic } from "./object/download.ts";
import { info, infoPublic } from "./object/info.ts";
import { list } from "./object/list.ts";
import { listV2 } from "./object/list-v2.ts";
import { move } from "./object/move.ts";
import { removeMany, removeOne } from "./object/remove.ts";
import { signDownload, signDownloads } from "./object/sign-download.ts";
import { signedUpload, signUpload } from "./object/sign-upload.ts";
import { signedDownload } from "./object/signed-download.ts";
import { update, upload, uploadNameless } from "./object/upload.ts";
import { renderOwn, renderPublic, renderSigned } from "./render.ts";
import { analytics, health, purge, vectors, version } from "./service.ts";
import {
  continueUpload,
  createUpload,
  describeProtocol,
  describeUpload,
  obeyOverride,
  terminateUpload,
} from "./upload/resumable-uploads.ts";

/** All routes of the service, most specific first. Unknown paths are 404; HEAD is GET without the body. */
export const routes: Routes<Endpoint> = {
  "GET /status": async () => ({ status: 200 }),
  "GET /version": version,
  "GET /health": health,

  "DELETE /cdn": purge,
  "DELETE /cdn/{bucket}": purge,
  "DELETE /cdn/{bucket}/{path*}": purge,

  "GET /bucket": listBuckets,
  "POST /bucket": createBucket,
  "GET /bucket/{bucket}": getBucket,
  "PUT /bucket/{bucket}": updateBucket,
  "DELETE /bucket/{bucket}": deleteBucket,
  "POST /bucket/{bucket}/empty": emptyBucket,
  "GET /bucket/{bucket}/lifecycle": lifecycle,
  "PUT /bucket/{bucket}/lifecycle": lifecycle,
  "DELETE /bucket/{bucket}/lifecycle": lifecycle,

  "GET /iceberg/{path*}": analytics,
  "POST /iceberg/{path*}": analytics,
  "DELETE /iceberg/{path*}": analytics,
  "POST /vector/{command}": vectors,

  "POST /object/list/{bucket}": list,

  "POST /object/list-v2/{bucket}": listV2,
  "POST /object/move": move,
  "POST /object/copy": copy,
  "POST /object/sign/{bucket}": signDownloads,
  "POST /object/sign/{bucket}/{path*}": signDownload,
  "GET /object/sign/{bucket}/{path*}": signedDownload,
  "POST /object/upload/sign/{bucket}/{path*}": signUpload,
  "PUT /object/upload/sign/{bucket}/{path*}": signedUpload,

  "GET /render/image/public/{bucket}/{path*}": renderPublic,
  "GET /render/image/authenticated/{bucket}/{path*}": renderOwn,
  "GET /render/image/sign/{bucket}/{path*}": renderSigned,

  "OPTIONS /upload/resumable": describeProtocol,
  "OPTIONS /upload/resumable/sign": describeProtocol,
  "POST /upload/resumable": createUpload,
  "POST /upload/resumable/sign": createUpload,
  "HEAD /upload/resumable/{id}": describeUpload,
  "PATCH /upload/resumable/{id}": continueUpload,
  "DELETE /upload/resumable/{id}": terminateUpload,
  "POST /upload/resumable/{id}": obeyOverride,
  "HEAD /upload/resumable/sign/{id}": describeUpload,
  "PATCH /upload/resumable/sign/{id}": continueUpload,
  "DELETE /upload/resumable/sign/{id}": terminateUpload,
  "POST /upload/resumable/sign/{id}": obeyOverride,

  "GET /object/info/public/{bucket}/{path*}": infoPublic,
  "GET /object/info/authenticated/{bucket}/{path*}": info,
  "GET /object/info/{bucket}/{path*}": info,

  "GET /object/public/{bucket}/{path*}": downloadPublic,
  "GET /object/authenticated/{bucket}/{path*}": download,
  "GET /object/{bucket}/{path*}": download,
  "POST /object/{bucket}/{path*}": upload,
  "PUT /object/{bucket}/{path*}": update,
  "POST /object/{bucket}": uploadNameless,
  "PUT /object/{bucket}": uploadNameless,
  "DELETE /object/{bucket}/{path*}": removeOne,
  "DELETE /object/{bucket}": removeMany,
};
