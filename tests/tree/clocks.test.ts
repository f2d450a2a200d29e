import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");
/** Code that runs for hours or weeks, during which the system clock may be set. */
const PLACES = ["app", "backend", "server"];
/** Reads of the system clock. */
const CLOCK = /\bDate\.now\b|\bnew Date\(\)/;

/** Where the system clock is read, and for which point in time. Durations use `performance.now()`. */
const MOMENTS: Record<string, readonly string[]> = {
  "the device's time, to find how far it is from the site's": [
    "app/features/items/use-now.ts",
    "app/features/session/session-fetch.ts",
    "app/features/site/site-clock.ts",
  ],
  "when something was done on the device, also after a reload": [
    "app/offline-worker/strategies.ts",
    "app/routes/account/own-data.ts",
    "app/routes/admin/items/edit/item-image-files.ts",
    "app/routes/admin/moderation/case-queries.ts",
    "app/routes/admin/moderation/sanction-queries.ts",
    "app/routes/chat/room/outbox.ts",
  ],
  "when a token, a session, a proof or a ban ends": [
    "backend/auth/endpoints/factors/challenge.ts",
    "backend/auth/endpoints/oauth-server/applications.ts",
    "backend/auth/oauth-server/token-answer.ts",
    "backend/auth/one-time-codes/text-code.ts",
    "backend/auth/passkeys/passkey-challenge.ts",
    "backend/auth/saml/refresh-metadata.ts",
    "backend/auth/saml/verify-assertion.ts",
    "backend/auth/service/own-tables.ts",
    "backend/auth/sessions/refresh-session.ts",
    "backend/auth/sessions/custom-claims.ts",
    "backend/auth/users/user-row.ts",
    "backend/auth/web3/find-message-fault.ts",
    "backend/realtime/access/identify.ts",
    "backend/realtime/handlers/sweep-connections.ts",
    "backend/storage/requests/url-token.ts",
    "backend/tokens/revocation-feed.ts",
    "backend/tokens/token-verifier.ts",
    "server/data-dir/signing-keys.ts",
  ],
  "when a limit of tries ends, which several processes read in a table": [
    "backend/auth/clean-up.ts",
    "backend/auth/limits/count-store.ts",
    "backend/auth/limits/rate-limits.ts",
  ],
  "when somebody else signed, or is to be asked again": [
    "backend/auth/hooks/call-http.ts",
    "backend/storage/s3/commands/form-policy.ts",
    "backend/storage/s3/signature.ts",
  ],
  "when it happened, as it is stored, sent or named": [
    "backend/auth/endpoints/signup.ts",
    "backend/auth/hooks/create-hooks.ts",
    "backend/auth/messages/mailer.ts",
    "backend/auth/sessions/known-device.ts",
    "backend/auth/users/allow-user.ts",
    "backend/storage/endpoints/object/copy.ts",
    "backend/storage/objects/store-object.ts",
    "backend/storage/s3/commands/copies.ts",
    "server/backup/make-backup.ts",
    "server/backup/write-backup.ts",
    "server/observation/operator-report.ts",
    "server/wal-archive/receive-wal.ts",
  ],
  "how old a file, a backup or an upload is, also after a restart": [
    "backend/storage/endpoints/upload/find-upload.ts",
    "backend/storage/endpoints/upload/resumable-uploads.ts",
    "backend/storage/files/disk-store.ts",
    "backend/storage/files/incoming.ts",
    "backend/storage/files/kept-files.ts",
    "backend/storage/files/s3-store.ts",
    "backend/storage/files/upload-store.ts",
    "server/assets/former-files.ts",
    "server/backup/backup-state.ts",
    "server/backup/schedule-backups.ts",
  ],
  "when PostgreSQL committed": [
    "backend/realtime/create-realtime.ts",
    "backend/realtime/feed/change-feed.ts",
  ],
  "when a page was read, and its day": [
    "app/features/items/value-history-queries.ts",
    "app/frame/site-footer.tsx",
    "app/root.tsx",
    "app/routes/resources/previews/item-preview.ts",
    "server/pages/page-cache.ts",
    "server/pages/render-page.ts",
    "server/site/change-stream.ts",
    "server/site/site-handler.ts",
  ],
};

const isProgram = (name: string) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name);

/** The programs that match, among those in these folders. */
const findPrograms = (places: readonly string[], pattern: RegExp) =>
  places
    .flatMap((place) =>
      readdirSync(join(repository, place), { recursive: true, encoding: "utf8" })
        .filter(isProgram)
        .map((name) => join(place, name)),
    )
    .filter((file) => pattern.test(readFileSync(join(repository, file), "utf8")));

test("the system clock, which may be set, is read only for points in time; durations use the monotonic clock", () => {
  expect(findPrograms(PLACES, CLOCK).toSorted()).toEqual(Object.values(MOMENTS).flat().toSorted());
});

test("no page asks for the name of the reader's time zone, for which Intl throws where the device knows none", () => {
  expect(findPrograms(["app", "domain"], /\bresolvedOptions\b/)).toEqual([]);
});
