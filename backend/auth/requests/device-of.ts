import { createHmac } from "node:crypto";
import type { HttpRequest } from "#backend/http/http-message.ts";
import type { AuthConfig } from "../service/auth-config.ts";

/** Header in which a client may send a random mark that it stores: 16 to 64 letters, digits, `-` and `_`. */
const HEADER = "x-browser-mark";
const MARK = /^[\w-]{16,64}$/;

/** Whether owners are notified of sign-ins from new devices. */
export function notifiesOfDevices({ notifications, accountGuard }: AuthConfig): boolean {
  return notifications.device ?? accountGuard !== null;
}

/**
 * Identifies the device of a request by a keyed hash of the client's mark. A client without a mark is identified only
 * by its kind, the User-Agent without digits, so that a new release of a browser or program is not a new device.
 */
export function deviceOf({ headers }: HttpRequest, secret: string): string {
  const mark = headers[HEADER] ?? "";
  const kind = (headers["user-agent"] ?? "").slice(0, 500).replace(/\d+/g, "");
  const named = MARK.test(mark) ? `mark\n${mark}` : `kind\n${kind}`;
  return createHmac("sha256", secret).update(`device\n${named}`).digest("hex");
}
