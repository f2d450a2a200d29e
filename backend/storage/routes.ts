import { createBucket } from "./buckets/create-bucket.ts";
import { getBucket, listBuckets } from "./buckets/read-buckets.ts";
import { deleteBucket, emptyBucket } from "./buckets/remove-bucket.ts";
import { updateBucket } from "./buckets/update-bucket.ts";
import { renderOwn, renderPublic, renderSigned } from "./images/render.ts";
import { copy } from "./objects/copy.ts";
import { download, downloadPublic } from "./objects/download.ts";
import { info, infoPublic } from "./objects/info.ts";
import { list } from "./objects/list.ts";
import { listV2 } from "./objects/list-v2.ts";
import { move } from "./objects/move.ts";
import { removeMany, removeOne } from "./objects/remove.ts";
import { update, upload } from "./objects/upload.ts";
import type { Routes } from "./requests/router.ts";
import {
  continueUpload,
  createUpload,
  describeProtocol,
  describeUpload,
  terminateUpload,
} from "./resumable/resumable-uploads.ts";
import { signDownload, signDownloads } from "./signing/sign-download.ts";
import { signedUpload, signUpload } from "./signing/sign-upload.ts";
import { signedDownload } from "./signing/signed-download.ts";

/** Every path of the service, the more special ones first. Anything else is 404; HEAD is a GET without its body. */
export const routes: Routes = {
  "GET /status": async () => ({ status: 200 }),

  "GET /bucket": listBuckets,
  "POST /bucket": createBucket,
  "GET /bucket/{bucket}": getBucket,
  "PUT /bucket/{bucket}": updateBucket,
  "DELETE /bucket/{bucket}": deleteBucket,
  "POST /bucket/{bucket}/empty": emptyBucket,

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
  "HEAD /upload/resumable/sign/{id}": describeUpload,
  "PATCH /upload/resumable/sign/{id}": continueUpload,
  "DELETE /upload/resumable/sign/{id}": terminateUpload,

  "GET /object/info/public/{bucket}/{path*}": infoPublic,
  "GET /object/info/authenticated/{bucket}/{path*}": info,
  "GET /object/info/{bucket}/{path*}": info,

  "GET /object/public/{bucket}/{path*}": downloadPublic,
  "GET /object/authenticated/{bucket}/{path*}": download,
  "GET /object/{bucket}/{path*}": download,
  "POST /object/{bucket}/{path*}": upload,
  "PUT /object/{bucket}/{path*}": update,
  "DELETE /object/{bucket}/{path*}": removeOne,
  "DELETE /object/{bucket}": removeMany,
};
