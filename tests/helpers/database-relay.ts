import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen.ts";

/** A TCP relay in front of a database. */
export type DatabaseRelay = {
  /** The database's URL, by way of the relay. */
  url: string;
  /** Forwards nothing more on the open connections without closing them, as a firewall does that dropped them. */
  fallSilent(): void;
  /** Closes the open connections. */
  cut(): void;
  close(): Promise<void>;
};

/** @param see gets what clients and the database send, before it is forwarded */
export async function relayDatabase(
  databaseUrl: string,
  see: { sent?(chunk: Buffer): void; received?(chunk: Buffer): void } = {},
): Promise<DatabaseRelay> {
  const address = addressOf(new URL(databaseUrl));
  const open = new Set<Socket>();

  function forward(from: Socket, to: Socket, look?: (chunk: Buffer) => void): void {
    open.add(from);
    from.setNoDelay(true).on("error", () => {});
    from.on("data", (chunk: Buffer) => {
      look?.(chunk);
      to.write(chunk);
    });
    from.on("close", () => {
      open.delete(from);
      to.destroy();
    });
  }

  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer(async (client) => {
    const database = connect(address);
    forward(database, client, see.received);
    await once(database, "connect");
    forward(client, database, see.sent);
  });
  const { port, close } = await listen(server);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.searchParams.delete("host");
  return {
    url: url.href,
    fallSilent() {
      for (const socket of open) socket.pause();
    },
    cut,
    close() {
      cut();
      return close();
    },
  };
}

/** A folder stands for the Unix socket in it. */
function addressOf({ hostname, port, searchParams }: URL) {
  const folder = searchParams.get("host");
  return folder ? { path: `${folder}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port) };
}
