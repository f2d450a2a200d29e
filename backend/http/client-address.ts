import { isIP } from "node:net";

/** Stands for the address of a socket whose other end is gone already: a caller from outside all the same. */
export const GONE = "0.0.0.0";

type Request = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The network address at the other end of the socket. */
  remoteAddress?: string | undefined;
};

/**
 * The client's network address: by the header in which a proxy names it, else of the socket. Empty within the process.
 */
export function clientAddress({ headers, remoteAddress }: Request, addressHeader: string | null): string {
  // A proxy appends: what stands before its own entry is what the visitor claims.
  const named =
    addressHeader &&
    String(headers[addressHeader.toLowerCase()] ?? "")
      .split(",")
      .at(-1)
      ?.trim();
  return named && isIP(named) ? named : (remoteAddress ?? "");
}
