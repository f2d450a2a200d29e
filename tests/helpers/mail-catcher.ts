import { createServer, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { listen } from "./listen.ts";
import { retryUntilPassing } from "./retry.ts";

export type CaughtMail = {
  /** Recipients in the SMTP envelope. */
  to: string[];
  /** Header and body as sent. */
  content: string;
  /** `content` with header folding and quoted-printable decoded. */
  text: string;
};

export type MailCatcher = {
  url: string;
  port: number;
  mails: CaughtMail[];
  /** The text of the newest mail to an address, once there is one. */
  mailTo(address: string): Promise<string>;
  close(): Promise<void>;
};

type Guard = { user: string; password: string; key?: string; cert?: string };

type CatcherOptions = {
  port?: number;
  /** Requires this password, and TLS if there is a certificate. */
  guard?: Guard;
  /** A recipient to reject as unknown. */
  refuses?: string;
};

/** A local SMTP server (RFC 5321) that accepts mails and delivers none. */
export async function catchMails({ port, guard, refuses }: CatcherOptions = {}): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    const session = createSession((mail) => mails.push(mail), refuses);
    const take = guard ? askPassword(guard, session) : session;
    let rest = "";
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      // Written at once, since a TLS socket may read what comes next while it writes.
      socket.write(lines.map(take).join(""));
    });
    socket.write("220 here\r\n");
  };
  const server = await listen(guard?.cert ? createSecureServer(guard, serve) : createServer(serve), port);
  return {
    url: `smtp://127.0.0.1:${server.port}`,
    port: server.port,
    mails,
    mailTo: (address) =>
      retryUntilPassing(() => {
        const mail = mails.findLast(({ to }) => to.includes(address));
        if (!mail) throw new Error(`no mail to ${address}`);
        return mail.text;
      }),
    close() {
      for (const socket of sockets) socket.destroy();
      return server.close();
    },
  };
}

/** Answers each SMTP line; lines of a message get no reply. */
function createSession(onMail: (mail: CaughtMail) => void, refuses?: string): (line: string) => string {
  let to: string[] = [];
  let content: string[] | null = null;
  return (line) => {
    if (content && line !== ".") {
      content.push(line.replace(/^\./, ""));
      return "";
    }
    if (content) {
      onMail({ to, content: content.join("\n"), text: decode(content.join("\n")) });
      [to, content] = [[], null];
      return "250 taken\r\n";
    }
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
    if (recipient && recipient === refuses) return `550 5.1.1 <${recipient}> is unknown\r\n`;
    if (recipient) to.push(recipient);
    if (line === "DATA") {
      content = [];
      return "354 go on\r\n";
    }
    return line === "QUIT" ? "221 bye\r\n" : "250 ok\r\n";
  };
}

function askPassword({ user, password }: Guard, take: (line: string) => string): (line: string) => string {
  const proof = `AUTH PLAIN ${Buffer.from(`\0${user}\0${password}`).toString("base64")}`;
  let isKnown = false;
  return (line) => {
    if (isKnown) return take(line);
    if (line.startsWith("EHLO")) return "250-here\r\n250 AUTH PLAIN\r\n";
    isKnown = line === proof;
    return isKnown ? "235 known\r\n" : "530 who is it\r\n";
  };
}

/** Decodes quoted-printable as far as these tests need it (RFC 2045 §6.7). */
function decode(text: string): string {
  return text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
