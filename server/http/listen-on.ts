import { type AddressInfo, createServer, type Server } from "node:net";
import { StartError } from "../configuration/start-error.ts";

/** Where to listen; without a host, on all of the machine's addresses. */
export type Place = {
  port: number;
  host?: string | undefined;
  /** Whether other processes of this user may listen there too; the kernel spreads connections over them. */
  isShared?: boolean;
};

/** A listening socket with its pending connections, as handed over by another process. */
export type Listening = object;

/**
 * Resolves to the address to show to the operator; rejects with a sentence that explains what is wrong with the
 * setting.
 * @param taken a socket to listen on, instead of opening one
 */
export function listenOn(
  server: Server,
  { port, host, isShared = false }: Place,
  taken: Listening | null = null,
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(toStartError(error, { port, host })));
    const opened = () => resolve(describeAddress(server.address() as AddressInfo, host));
    if (taken) server.listen(taken, opened);
    else server.listen({ port, ...(host && { host }), reusePort: isShared }, opened);
  });
}

/** What `listenOn` takes, in another process too; null if the server is not listening. */
export function listeningOf(server: Server): Listening | null {
  return (server as Server & { _handle?: Listening | null })._handle ?? null;
}

/**
 * Finds a port for several processes and checks that it is unused: sharing the port, they would notice neither each
 * other nor another site on it.
 */
export async function findFreePlace({ port, host }: Place): Promise<Place> {
  const probe = createServer();
  await listenOn(probe, { port, host });
  const { port: found } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return { port: found, host };
}

function describeAddress({ port }: AddressInfo, host = "localhost"): string {
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function toStartError(error: NodeJS.ErrnoException, { port, host }: Place): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartError(
        `PORT ${port} is in use by another program: stop that one, or set PORT to a free port.`,
      );
    case "EACCES":
      return new StartError(`PORT ${port} may not be opened by this user: set PORT to 1024 or above.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartError(`HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}
