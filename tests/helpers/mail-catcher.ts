import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";

export type CaughtMail = {
  /** Whom the mail server was told to bring it to. */
  to: string[];
  /** Head and body as they were sent. */
  content: string;
};

export type MailCatcher = { url: string; mails: CaughtMail[]; close(): Promise<void> };

type Guarded = { port: number; key: string; cert: string; user: string; password: string };

/** A mail server of this machine that takes every mail and brings none; a guarded one by TLS, and from who knows the password. */
export async function catchMails(guarded?: Guarded): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    const take = guarded
      ? askPassword(
          guarded,
          createSession((mail) => mails.push(mail)),
        )
      : createSession((mail) => mails.push(mail));
    let rest = "";
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) socket.write(take(line));
    });
    socket.write("220 here\r\n");
  };
  const server = guarded ? createSecureServer(guarded, serve) : createServer(serve);
  server.listen(guarded?.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** What the server answers to each line; to those of a mail nothing. */
function createSession(onMail: (mail: CaughtMail) => void): (line: string) => string {
  let to: string[] = [];
  let content: string[] | null = null;
  return (line) => {
    if (content && line !== ".") {
      content.push(line.replace(/^\./, ""));
      return "";
    }
    if (content) {
      onMail({ to, content: content.join("\n") });
      [to, content] = [[], null];
      return "250 taken\r\n";
    }
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
    if (recipient) to.push(recipient);
    if (line === "DATA") {
      content = [];
      return "354 go on\r\n";
    }
    return line === "QUIT" ? "221 bye\r\n" : "250 ok\r\n";
  };
}

function askPassword({ user, password }: Guarded, take: (line: string) => string): (line: string) => string {
  const proof = `AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString("base64")}`;
  let isKnown = false;
  return (line) => {
    if (isKnown) return take(line);
    if (line.startsWith("EHLO")) return "250-here\r\n250 AUTH PLAIN\r\n";
    isKnown = line === proof;
    return isKnown ? "235 known\r\n" : "530 who is it\r\n";
  };
}
