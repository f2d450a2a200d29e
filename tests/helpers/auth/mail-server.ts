import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { patiently } from "../patiently.ts";

/** A mail server on this machine that takes every mail (RFC 5321). */
export type MailServer = {
  port: number;
  /** The text of the newest mail to an address, as soon as there is one. */
  mailTo(address: string): Promise<string>;
  close(): void;
};

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let data: string[] | null = null;
    const answer = (line: string): string => {
      if (data && line !== ".") {
        data.push(line);
        return "";
      }
      if (data) mails.push(data.join("\n"));
      data = line === "DATA" ? [] : null;
      return data ? "354 go on\r\n" : "250 ok\r\n";
    };
    let rest = "";
    socket.write("220 here\r\n");
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) socket.write(answer(line));
    });
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    mailTo: (address) =>
      patiently(() => {
        const mail = mails.findLast((text) => text.includes(`To: ${address}\n`));
        if (mail === undefined) throw new Error(`no mail to ${address}`);
        return decode(mail);
      }),
    close: () => server.close(),
  };
}

/** Quoted-printable, as far as the mails of these tests need it (RFC 2045 §6.7). */
function decode(text: string): string {
  return text
    .replace(/=\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
