import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("where no image can be built, the image test says what is missing and does not fail", () => {
  const { status, stderr } = spawnSync(process.execPath, ["tests/image/main.ts", "--own-bases"], {
    env: { PATH: "/nowhere" },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([
    0,
    "Skipped: no image is built and run without podman and buildah and debootstrap.\n",
  ]);
});
