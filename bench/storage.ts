import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { startPostgres } from "#server/postgres/start-postgres.ts";
import { type Aim, type Comparison, type Contestant, compare, type Effort } from "./compare.ts";
import { startNginx } from "./servers/start-nginx.ts";
import { type StartedServer, startServer } from "./servers/start-server.ts";

const downloads: Effort = { rounds: 7, seconds: 0.7, connections: 32 };
/** One at a time: concurrent requests for the same image share one rendering. */
const renderings: Effort = { rounds: 7, seconds: 1, connections: 1 };
const jwtSecret = "only this bench signs with this secret";
const SIZES = [10_000, 200_000];
const WIDTH = 300;

/**
 * storage/v1: a public file compared with nginx and bare `node:http`, and image rendering compared with bare `sharp`.
 */
export async function benchStorage(): Promise<Comparison[]> {
  const postgres = await startPostgres({ ephemeral: true });
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const { authenticatorPassword, authenticatorUrl: databaseUrl } = postgres;
  try {
    await applyBackendSchema(postgres.url, { authenticatorPassword });
    const ours = await startServer("storage", {
      databaseUrl,
      jwtSecret,
      workFolder: join(folder, "storage"),
    });
    try {
      const comparisons: Comparison[] = [];
      for (const size of SIZES) comparisons.push(await compareDownload(ours, size, folder));
      return [...comparisons, await compareRendering(ours, folder)];
    } finally {
      await ours.stop();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareDownload(ours: StartedServer, size: number, folder: string): Promise<Comparison> {
  const name = `${size}.txt`;
  const content = randomBytes(size / 2).toString("hex");
  await writeFile(join(folder, name), content);
  const url = await store(ours, name, content, "text/plain");
  const bare = await startServer("bytes", {
    headers: { "content-type": "text/plain", "content-length": String(size) },
    base64: Buffer.from(content).toString("base64"),
  });
  const nginx = await startNginx(folder);
  const others: Aim[] = [
    { contestant: contestant("bare node:http, from memory", bare.url, bare.pid), aim: null },
  ];
  if (nginx) others.push({ contestant: contestant("nginx", `${nginx.url}/${name}`, nginx.pid), aim: null });
  const title = `a public file of ${size.toLocaleString("en-US")} bytes${nginx ? "" : " (nginx is not installed)"}`;
  try {
    return await compare(title, contestant("storage/v1", url, ours.pid), others, downloads);
  } finally {
    await Promise.all([bare.stop(), nginx?.stop()]);
  }
}

async function compareRendering(ours: StartedServer, folder: string): Promise<Comparison> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const create = { width: 1200, height: 800, channels: 3, background: "#888", noise } as const;
  const picture = await sharp({ create }).jpeg({ quality: 90 }).toBuffer();
  const file = join(folder, "picture.jpg");
  await writeFile(file, picture);
  const stored = await store(ours, "picture.jpg", picture, "image/jpeg");
  const url = `${stored.replace("/object/public/", "/render/image/public/")}?width=${WIDTH}`;
  const bare = await startServer("bare-sharp", { file, width: WIDTH });
  const others = [{ contestant: contestant("bare sharp", bare.url, bare.pid), aim: 0.85 }];
  try {
    return await compare(
      `a picture rendered anew, ${WIDTH} wide`,
      contestant("storage/v1", url, ours.pid),
      others,
      renderings,
    );
  } finally {
    await bare.stop();
  }
}

function contestant(name: string, url: string, pid: number): Contestant {
  return { name, url, headers: {}, pid };
}

/** Uploads the file and returns its public URL. */
async function store(
  server: StartedServer,
  name: string,
  content: string | Buffer,
  contentType: string,
): Promise<string> {
  const { storage } = createClient(server.url, await signToken({ role: "service_role" }, jwtSecret));
  await storage.createBucket("open", { public: true });
  const { error } = await storage.from("open").upload(name, content, { contentType });
  if (error) throw error;
  return storage.from("open").getPublicUrl(name).data.publicUrl;
}
