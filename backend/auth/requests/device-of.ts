import { createHmac } from "node:crypto";
import type { HttpRequest } from "#backend/http/http-message.ts";
import type { AuthConfig } from "../service/auth-config.ts";

/** In which a client may send a random mark that it keeps, 16 to 64 letters, digits, `-` and `_`. */
const HEADER = "x-browser-mark";
const MARK = /^[\w-]{16,64}$/;

/** Whether owners are told of sign-ins from devices that their accounts do not know. */
export function tellsOfDevices({ notifications, accountGuard }: AuthConfig): boolean {
  return notifications.device ?? accountGuard !== null;
}

/**
 * Which device a request comes from, as a keyed hash: by the client's mark; a client without one is known by its kind alone,
 * the User-Agent without its figures, so that the next release of a browser or program is no new device.
 */
export function deviceOf({ headers }: HttpRequest, secret: string): string {
  const mark = headers[HEADER] ?? "";
  const kind = (headers["user-agent"] ?? "").slice(0, 500).replace(/\d+/g, "");
  const named = MARK.test(mark) ? `mark\n${mark}` : `kind\n${kind}`;
  return createHmac("sha256", secret).update(`device\n${named}`).digest("hex");
}
