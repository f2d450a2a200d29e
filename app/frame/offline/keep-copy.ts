import { mayKeep } from "#app/features/browser-storage/kept.ts";
import { KEPT_CACHES } from "#app/features/browser-storage/kept-keys.ts";

const WORKER = "/worker.js";

/**
 * Registers the offline worker, or removes it with all copies if the operator disabled it or the worker's file is gone.
 * Does nothing in a browser without storage.
 */
export async function keepCopy(isWanted: boolean): Promise<void> {
  if (!("serviceWorker" in navigator) || !mayKeep()) return;
  try {
    if (isWanted) await takeWorker();
    else await forgetCopy();
  } catch {
    // Blocked here, or offline: the next page tries again.
  }
}

async function takeWorker(): Promise<void> {
  try {
    // Checks for a new worker each time; browsers may wait up to a day.
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
