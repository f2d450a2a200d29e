import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type CaughtMail = {
  /** Whom the mail server was told to bring it to. */
  to: string[];
  /** Head and body as they were sent. */
  content: string;
};

export type MailCatcher = { url: string; mails: CaughtMail[]; close(): Promise<void> };

/** A mail server of this machine that takes every mail and brings none. */
export async function catchMails(): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const take = createSession((mail) => mails.push(mail));
    let rest = "";
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) socket.write(take(line));
    });
    socket.write("220 here\r\n");
  }).listen(0, "127.0.0.1");
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
