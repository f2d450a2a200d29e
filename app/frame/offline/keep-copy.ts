import { mayKeep } from "#app/features/browser-storage/kept.ts";
import { KEPT_CACHES } from "#app/features/browser-storage/kept-keys.ts";

const WORKER = "/worker.js";

/**
 * Lets the offline worker keep a copy of the public pages, or takes the worker and all copies away: where the operator
 * does not want them, or the worker's file is gone. Where a browser keeps nothing there is nothing to do.
 */
export async function keepCopy(isWanted: boolean): Promise<void> {
  if (!("serviceWorker" in navigator) || !mayKeep()) return;
  try {
    if (isWanted) await takeWorker();
    else await forgetCopy();
  } catch {
    // Forbidden here, or no connection: the next page tries again.
  }
}

async function takeWorker(): Promise<void> {
  try {
    // Asked of the server each time: a browser may go a day without.
    await (await navigator.serviceWorker.register(WORKER))?.update();
  } catch {
    const { status } = await fetch(WORKER, { method: "HEAD", cache: "no-store" });
    if (status === 404) await forgetCopy();
  }
}

async function forgetCopy(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((each) => each.unregister()));
  const names = (await caches.keys()).filter((name) => name.startsWith(KEPT_CACHES));
  await Promise.all(names.map((name) => caches.delete(name)));
}
