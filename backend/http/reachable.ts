import { once } from "node:events";
import { connect, type NetConnectOpts } from "node:net";

/** Whether a host to listen on means all of the machine's addresses. */
export function isWildcard(host: string | undefined): host is undefined | "0.0.0.0" | "::" {
  return host === undefined || host === "0.0.0.0" || host === "::";
}

/** Whether a program accepts connections there; this one is closed at once. */
export async function isReachable(place: NetConnectOpts): Promise<boolean> {
  const socket = connect(place);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
