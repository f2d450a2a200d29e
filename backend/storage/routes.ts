import { createBucket } from "./buckets/create-bucket.ts";
import { getBucket, listBuckets } from "./buckets/read-buckets.ts";
import { deleteBucket, emptyBucket } from "./buckets/remove-bucket.ts";
import { updateBucket } from "./buckets/update-bucket.ts";
import { download, downloadPublic } from "./objects/download.ts";
import { info, infoPublic } from "./objects/info.ts";
import { list } from "./objects/list.ts";
import { removeMany, removeOne } from "./objects/remove.ts";
import { update, upload } from "./objects/upload.ts";
import type { Routes } from "./requests/router.ts";

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
