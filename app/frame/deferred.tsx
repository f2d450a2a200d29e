import { lazy, Suspense, useEffect, useState } from "react";
// Included in the page's own styles, since it is smaller than a request for it.
import "./offline/offline-notice.css";

const DeferredParts = lazy(() =>
  import("./deferred-parts.tsx").then(
    (module) => ({ default: module.DeferredParts }),
    // Offline, and without a cached copy.
    () => ({ default: () => null }),
  ),
);

/** What starts after the first view, when the page is idle. */
export function Deferred() {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  if (!isTime) return null;
  return (
    <Suspense>
      <DeferredParts />
    </Suspense>
  );
}

/** Calls once after the page's load event; returns a function that cancels it. */
function whenIdle(call: () => void): () => void {
  const wait = () => {
    // Safari has no `requestIdleCallback`.
    if ("requestIdleCallback" in window) requestIdleCallback(call, { timeout: 2_000 });
    else setTimeout(call, 200);
  };
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
  return () => removeEventListener("load", wait);
}
