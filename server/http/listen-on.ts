import { type AddressInfo, createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isReachable, isWildcard } from "#backend/http/reachable.ts";
import { StartError } from "../configuration/start-error.ts";

/** A server whose npm or first process was killed notices within half a second and exits: wait for it. */
export const LEFTOVER_ENDS_WITHIN_MS = 3_000;

/** Where to listen; without a host, on all of the machine's addresses. */
export type Place = {
  port: number;
  host?: string | undefined;
  /** Whether other processes of this user may listen there too; the kernel spreads connections over them. */
  isShared?: boolean;
  /** What the names of its settings begin with, before `PORT` and `HOST`. */
  prefix?: string;
};

/** The site's port, and the operator's, if that is turned on. */
export type Ports = Place & { metrics?: Place | undefined };

/** A listening socket with its pending connections, as handed over by another process. */
export type Listening = object;

/**
 * Resolves to the address to show to the operator; rejects with a sentence that explains what is wrong with the
 * setting.
 * @param taken a socket to listen on, instead of opening one
 */
export function listenOn(server: Server, place: Place, taken: Listening | null = null): Promise<string> {
  const { port, host, isShared = false } = place;
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(toStartError(error, place)));
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
 * Checks that the ports are free, and finds them where any free one will do. Processes that share a port would notice
 * neither each other nor another site on it. A worker whose first process was killed still needs a moment to exit.
 * @throws StartError that names the setting
 */
export async function findFreePorts(
  ports: Ports,
  patience = LEFTOVER_ENDS_WITHIN_MS,
): Promise<{ port: number; operatorPort: number | null }> {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      return await tryPorts(ports);
    } catch (error) {
      if (!(error instanceof PortInUse) || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Both at once, as they must differ. */
async function tryPorts({ port, host, metrics }: Ports) {
  const probes: Server[] = [];
  const probe = async (place: Place): Promise<number> => {
    const server = createServer();
    await listenOn(server, { ...place, port: 0 });
    probes.push(server);
    if (place.port === 0) return (server.address() as AddressInfo).port;
    // Not by listening, which would accept requests of a proxy that waits for this site, and drop them.
    if (await isReachable({ port: place.port, host: nameOf(place.host) })) throw inUse(place);
    return place.port;
  };
  try {
    return {
      port: await probe({ port, host }),
      operatorPort: metrics ? await probe(ofOperator(metrics)) : null,
    };
  } finally {
    await Promise.all(probes.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** The same place, with errors that name its settings. */
export const ofOperator = (place: Place): Place => ({ ...place, prefix: "METRICS_" });

const nameOf = (host: string | undefined): string => (isWildcard(host) ? "localhost" : host);

function describeAddress({ port }: AddressInfo, host: string | undefined): string {
  const name = nameOf(host);
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

class PortInUse extends StartError {}

function inUse({ port, prefix = "" }: Place): PortInUse {
  return new PortInUse(
    `${prefix}PORT ${port} is in use by another program: stop that one, or set ${prefix}PORT to a free port.`,
  );
}

function toStartError(error: NodeJS.ErrnoException, place: Place): Error {
  const { port, host, prefix = "" } = place;
  const name = `${prefix}PORT`;
  if (error.syscall === "getaddrinfo" || error.code === "EADDRNOTAVAIL")
    return new StartError(`${prefix}HOST ${host} is not an address of this machine.`);
  switch (error.code) {
    case "EADDRINUSE":
      return inUse(place);
    case "EACCES":
      return new StartError(`${name} ${port} may not be opened by this user: set ${name} to 1024 or above.`);
    default:
      return error;
  }
}
