import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { missingPrograms, openEngine } from "./engine.ts";
import { makeBases } from "./make-bases.ts";
import { tryImage } from "./try-image.ts";

// usage: npm run test:image [-- --own-bases]: builds the container's image as the Dockerfile has it, and runs it. With
// --own-bases from Debian's and npm's packages alone. IMAGE_BUILD_ARGS are podman's, such as for a proxy's certificates.
const { values } = parseArgs({ options: { "own-bases": { type: "boolean" } } });
const missing = missingPrograms();
if (missing.length > 0) {
  console.error(`Skipped: no image is built without ${missing.join(" and ")}.`);
  process.exit();
}

const bases = [...readFileSync("Dockerfile", "utf8").matchAll(/^FROM (\S+:\S+)/gm)].map(
  ([, name = ""]) => `docker.io/library/${name}`,
);
const engine = openEngine();
const seconds = async (what: () => Promise<unknown>) => {
  const began = performance.now();
  await what();
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
};
try {
  if (values["own-bases"]) {
    const [node = "", debian = ""] = bases;
    console.error(`Bases made in ${await seconds(() => makeBases(engine, [node, debian]))}`);
  }
  const more = process.env.IMAGE_BUILD_ARGS?.split(" ") ?? [];
  const pull = values["own-bases"] ? "never" : "missing";
  const build = () =>
    engine.podman(
      "build",
      "--isolation=chroot",
      "--format=docker",
      `--pull=${pull}`,
      ...more,
      // Each one would be the whole system once more.
      "--layers=false",
      "--tag=site",
      ".",
    );
  console.error(`Image built in ${await seconds(build)}`);
  const findings = await tryImage(engine);
  for (const finding of findings) console.error(`Wrong: ${finding}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
} finally {
  engine.close();
}
