import { hash } from "node:crypto";
import type { Row, Step } from "#backend/postgres/database.ts";
import { takeDeviceNotice } from "../limits/account-limits.ts";
import type { Client } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";
import { sendNotice } from "../users/send-notice.ts";
import type { UserRow } from "../users/user-row.ts";
import { createWayBack } from "../users/way-back.ts";

/** Devices of one account; the one not seen for longest makes room. */
const MAX_KNOWN = 50;

/** An account that knows none yet is signed in to for the first time: that is no news. */
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

/** The steps that remember with which device an account is signed in to; none where nobody is told of new ones. */
export function rememberDevice(userId: string, device: string | null): Step[] {
  if (device === null) return [];
  return [{ text: remember, values: [userId, hash("sha256", `${userId}\n${device}`)] }];
}

/**
 * For who comes by a link: a mailed one, or back from another service. The browser sends no mark along, so a known one
 * would be called new; and the mailbox's or the other account's owner is told of by those.
 */
export function withoutDevice(client: Client): Client {
  return { ...client, device: null };
}

export const isNewDevice = ([row]: Row[] = []): boolean => row?.is_new === "t";

/** After the response. Beyond so many a day, which an intruder may cause, the owner has heard it often enough. */
export function tellOfDevice(service: AuthService, user: UserRow): void {
  const { config, database, limits, later } = service;
  const at = new Date();
  later(async () => {
    if (!(await takeDeviceNotice(limits, user.id))) return;
    const notice = await createWayBack(
      config,
      database.query,
      user,
      { kind: "device", at },
      at.toISOString(),
    );
    sendNotice(service, notice);
  });
}
