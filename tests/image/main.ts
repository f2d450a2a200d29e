import { readFileSync } from "node:fs";
import { readOptions } from "#tests/helpers/read-options.ts";
import { buildBases } from "./build-bases.ts";
import { type Engine, missingPrograms, openEngine, runWhereContainersRun } from "./engine.ts";
import { tryImage } from "./try-image.ts";

// Builds the container's image as the Dockerfile has it, and runs it. With --own-bases from Debian's and npm's packages
// alone. IMAGE_BUILD_ARGS are podman's, such as for a proxy's certificates.
const { values } = readOptions("npm run test:image -- [--own-bases]", { "own-bases": { type: "boolean" } });
const missing = missingPrograms(["podman", "buildah", ...(values["own-bases"] ? ["debootstrap"] : [])]);
if (missing.length > 0) {
  console.error(`Skipped: no image is built and run without ${missing.join(" and ")}.`);
  process.exit();
}
const status = runWhereContainersRun(import.meta.filename);
if (status !== null) process.exit(status);

const engine = openEngine();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => {
    console.error("Interrupted: what was built is removed.");
    engine.close();
    process.exit(130);
  });
let findings: string[] = [];
try {
  await build(engine);
  findings = await tryImage(engine);
} finally {
  engine.close();
}
for (const finding of findings) console.error(`Wrong: ${finding}`);
console.error(findings.length === 0 ? "Nothing is wrong with it." : `${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;

async function build({ podman, folder }: Engine): Promise<void> {
  const names = [...readFileSync("Dockerfile", "utf8").matchAll(/^FROM (\S+:\S+)/gm)];
  const [node = "", debian = ""] = names.map(([, name = ""]) => `docker.io/library/${name}`);
  if (values["own-bases"])
    console.error(`Bases made in ${await seconds(() => buildBases({ podman, folder }, { node, debian }))}`);
  const pull = values["own-bases"] ? "--pull=never" : "--pull=missing";
  const more = process.env.IMAGE_BUILD_ARGS?.split(" ") ?? [];
  // A layer per step would store the whole system again each time.
  const ways = ["--isolation=chroot", "--format=docker", "--layers=false", pull, ...more];
  console.error(`Image built in ${await seconds(() => podman("build", ...ways, "--tag=site", "."))}`);
}

async function seconds(work: () => Promise<unknown>): Promise<string> {
  const began = performance.now();
  await work();
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}
