import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "./engine.ts";

/**
 * Builds the Dockerfile's base images from Debian's and npm's packages, for machines that can reach those but no image
 * registry: a minimal Debian, and the same with Node and npm.
 */
export async function buildBases(
  { folder, podman }: Pick<Engine, "folder" | "podman">,
  { node, debian }: { node: string; debian: string },
): Promise<void> {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [, release = ""] = /:(\w+)-slim$/.exec(debian) ?? [];
  const [, major = ""] = /:(\d+)-/.exec(node) ?? [];
  const root = join(folder, "debian");
  run("debootstrap", "--variant=minbase", release, root);
  run("tar", "--create", `--file=${root}.tar`, `--directory=${root}`, ".");
  await podman("import", `${root}.tar`, debian);

  const context = join(folder, "node");
  mkdirSync(context);
  const wanted = { dependencies: { node: major, npm: "11" }, allowScripts: { node: true } };
  writeFileSync(join(context, "package.json"), JSON.stringify(wanted));
  run("npm", "install", `--prefix=${context}`);
  cpSync(join(context, "node_modules/node/bin/node"), join(context, "program"), { dereference: true });
  writeFileSync(
    join(context, "Dockerfile"),
    `FROM ${debian}
RUN apt-get update && apt-get install --yes --no-install-recommends libstdc++6 && rm -rf /var/lib/apt/lists/*
COPY program /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
`,
  );
  await podman("build", "--isolation=chroot", "--format=docker", "--pull=never", `--tag=${node}`, context);
}
