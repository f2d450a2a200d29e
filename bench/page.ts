import { get, type IncomingMessage } from "node:http";
import { type Comparison, compare, type Effort } from "./compare.ts";
import { startServer } from "./servers/start-server.ts";
import { type StartedSite, startSite } from "./servers/start-site.ts";

const effort: Effort = { rounds: 7, seconds: 0.5, connections: 32 };
const encodings = ["identity", "gzip", "br"];

/** The cached /values document of the whole site, compared with bare `node:http` sending the same bytes. */
export async function benchPage(): Promise<Comparison[]> {
  // One process on one core, like its baseline.
  const site = await startSite({ WORKERS: "1" });
  try {
    const comparisons: Comparison[] = [];
    for (const encoding of encodings) comparisons.push(await comparePage(site, encoding));
    return comparisons;
  } finally {
    await site.stop();
  }
}

async function comparePage(site: StartedSite, encoding: string): Promise<Comparison> {
  const url = `${site.url}/values`;
  const headers = { "accept-encoding": encoding };
  await fetchBytes(url, headers); // the first visit renders, the next are from the cache
  const { answer, body } = await fetchBytes(url, headers);
  if ((answer.headers["content-encoding"] ?? "identity") !== encoding) {
    throw new Error(`/values answered ${answer.headers["content-encoding"]} when ${encoding} was asked for`);
  }
  const floor = await startServer("bytes", { headers: sameHeaders(answer), base64: body.toString("base64") });
  const others = [
    { contestant: { name: "bare node:http", url: floor.url, headers, pid: floor.pid }, aim: 0.85 },
  ];
  const ours = { name: "/values, cached", url, headers, pid: site.pid };
  try {
    return await compare(
      `/values, ${encoding}, ${body.length.toLocaleString("en-US")} bytes`,
      ours,
      others,
      effort,
    );
  } finally {
    await floor.stop();
  }
}

/** The bytes as sent: `fetch` would decompress them. */
function fetchBytes(url: string, headers: Record<string, string>) {
  return new Promise<{ answer: IncomingMessage; body: Buffer }>((resolve, reject) => {
    get(url, { headers, agent: false }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve({ answer, body: Buffer.concat(chunks) });
    }).on("error", reject);
  });
}

// Node sets these itself.
const own = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

function sameHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !own.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
