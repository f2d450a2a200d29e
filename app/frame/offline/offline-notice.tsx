import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useMatches, useNavigate, useRevalidator } from "react-router";
import { mayKeep } from "#app/features/browser-storage/kept.ts";
import { KEPT_CACHES } from "#app/features/browser-storage/kept-keys.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import type { Copy, WorkerMessage } from "#app/offline-worker/worker-scope.ts";
import { formatAs } from "#domain/text/dates.ts";

declare global {
  interface Window {
    /** The query and fragment of a cached document's address. */
    askedFor?: string;
  }
}

/** When a copy was made, in the reader's time zone: `Nov 22, 14:05`. */
const MOMENT: Intl.DateTimeFormatOptions = {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
};

const SHOWS_VALUES = /^\/($|values|fruits\/|calculator)/;

/** Says that the page is a copy and how old; renders nothing for a live page. */
export function OfflineNotice() {
  const { keepsCopies } = useSiteConfig();
  useEffect(() => void keepCopy(keepsCopies), [keepsCopies]);
  useAskedQuery();
  const { pathname } = useLocation();
  const copy = useCopy(pathname);
  const isOffline = useIsOffline();
  if (copy.copy !== "kept") return null;
  return (
    <p role="status" className="offline-notice">
      {isOffline ? "You are offline." : "The site cannot be reached."}{" "}
      {SHOWS_VALUES.test(pathname) ? "These values are" : "This page is"} from {formatAs(copy.date, MOMENT)}.
    </p>
  );
}

const LIVE: Copy = { copy: "none" };

/** While a copy is shown: how often to look whether the site can be reached again, in milliseconds. */
const PAUSE = 30_000;

/** The worker's latest message about this page, or the document's own mark as a copy. */
function useCopy(pathname: string): Copy {
  // By path: data is also requested for pages that may be opened next.
  const [copies, setCopies] = useState<Record<string, Copy>>(() => {
    const date = document.documentElement.dataset.kept;
    return date ? { [pathname]: { copy: "kept", date } } : {};
  });
  const { [pathname]: copy = LIVE } = copies;
  useEffect(() => setCopies(({ [pathname]: own = LIVE }) => ({ [pathname]: own })), [pathname]);
  const { revalidate } = useRevalidator();
  const hasData = Boolean(useMatches().at(-1)?.loaderData);
  const reload = useEffectEvent(() => {
    // Without data there is no request that the worker could report.
    if (!hasData) setCopies({});
    void revalidate();
  });
  useEffect(() => {
    // Ads are requested again, too.
    if (copy.copy === "none") delete document.documentElement.dataset.kept;
    if (copy.copy === "late") reload();
  }, [copy]);
  useEffect(() => {
    const read = ({ data }: MessageEvent<WorkerMessage>) => {
      if (data?.copy) setCopies((all) => ({ ...all, [data.path]: data }));
    };
    navigator.serviceWorker?.addEventListener("message", read);
    // What it said before this listener was there.
    navigator.serviceWorker?.controller?.postMessage("repeat");
    return () => navigator.serviceWorker?.removeEventListener("message", read);
  }, []);
  const isCopy = copy.copy === "kept";
  useEffect(() => {
    if (!isCopy) return;
    const look = async () => {
      const mayBeBack = navigator.onLine && document.visibilityState === "visible";
      if (mayBeBack && (await isReachable())) reload();
    };
    addEventListener("online", look);
    document.addEventListener("visibilitychange", look);
    const timer = setInterval(look, PAUSE);
    return () => {
      removeEventListener("online", look);
      document.removeEventListener("visibilitychange", look);
      clearInterval(timer);
    };
  }, [isCopy]);
  return copy;
}

function useIsOffline(): boolean {
  const [isOffline, setOffline] = useState(() => !navigator.onLine);
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  return isOffline;
}

/** Documents are cached without query; the query of the requested address is restored after hydration. */
function useAskedQuery(): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    const asked = window.askedFor;
    if (!asked) return;
    window.askedFor = undefined;
    void navigate(pathname + asked, { replace: true });
  }, [navigate, pathname]);
}

const WORKER = "/worker.js";

/**
 * Registers the offline worker, or removes it with all copies if the operator disabled it or the worker's file is gone.
 * Does nothing in a browser without storage.
 */
async function keepCopy(isWanted: boolean): Promise<void> {
  if (!("serviceWorker" in navigator) || !mayKeep()) return;
  try {
    if (isWanted) await takeWorker();
    else await forgetCopy();
  } catch {
    // Blocked here, or offline: the next page tries again.
  }
}

/** Whether the site answers: the worker leaves requests for its own file to the network. */
async function isReachable(): Promise<boolean> {
  const answer = await fetch(WORKER, { method: "HEAD", cache: "no-store" }).catch(() => null);
  return answer !== null && answer.status < 500;
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
