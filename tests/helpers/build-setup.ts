import { ensureBuilt } from "../../scripts/build-site.mjs";

/** Builds the site when its sources changed since it was last built. */
export default async function setup(): Promise<void> {
  await ensureBuilt();
}
