import { hash } from "node:crypto";
import type { Row, Step } from "#backend/postgres/database.ts";
import { takeDeviceNotice } from "../limits/account-limits.ts";
import type { Client } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { createOwnerNotice } from "../users/owner-notice.ts";
import { sendNotice } from "../users/send-notice.ts";
import type { UserRow } from "../users/user-row.ts";

/** Maximum number of devices per account; the least recently seen one is dropped. */
const MAX_KNOWN = 50;

/** If the account has no known devices, this is its first sign-in, which is not reported. */
const remember = `
  with known as (select device_hash, last_seen_at from backend.known_devices where user_id = $1),
  kept as (
    insert into backend.known_devices (user_id, device_hash) values ($1, $2)
    on conflict (user_id, device_hash) do update set last_seen_at = now()
  ),
  dropped as (
    delete from backend.known_devices where user_id = $1 and device_hash in (
      select device_hash from known where device_hash <> $2 order by last_seen_at desc offset ${MAX_KNOWN - 1}
    )
  )
  select exists (select from known) and not exists (select from known where device_hash = $2) as is_new`;

/** The steps that remember the device of a sign-in; none if notices of new devices are off. */
export function rememberDevice(userId: string, device: string | null): Step[] {
  if (device === null) return [];
  return [{ text: remember, values: [userId, hash("sha256", `${userId}\n${device}`)] }];
}

/**
 * For sign-ins through a link: a mailed one, or a redirect from another service. The browser sends no device mark with
 * it, so a known device would be reported as new; that sign-in is visible in the mailbox or at the other service
 * anyway.
 */
export function withoutDevice(client: Client): Client {
  return { ...client, device: null };
}

export const isNewDevice = ([row]: Row[] = []): boolean => row?.is_new === "t";

/** Sends the notice after the response. Limited per day, since an intruder could trigger any number of them. */
export function notifyOfDevice(service: AuthService, user: UserRow): void {
  const { config, database, limits, later } = service;
  const at = new Date();
  later(async () => {
    if (!(await takeDeviceNotice(limits, user.id))) return;
    const notice = await createOwnerNotice(
      config,
      database.query,
      user,
      { kind: "device", at },
      at.toISOString(),
    );
    sendNotice(service, notice);
  });
}
