import { isIP } from "node:net";

/** Used when a socket's remote address is gone because it has closed: it still counts as an external caller. */
export const GONE = "0.0.0.0";

type Request = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The network address at the other end of the socket. */
  remoteAddress?: string | undefined;
};

/** The client's address: from the header in which a proxy passes it, else the socket's. Empty for in-process calls. */
export function clientAddress({ headers, remoteAddress }: Request, addressHeader: string | null): string {
  // A proxy appends its entry; anything before that is claimed by the client.
  const named =
    addressHeader &&
    String(headers[addressHeader.toLowerCase()] ?? "")
      .split(",")
      .at(-1)
      ?.trim();
  return named && isIP(named) ? named : (remoteAddress ?? "");
}
