import { lazy, Suspense, useEffect, useState } from "react";
// With the page's own styles: it is smaller than what a request for it would be.
import "./offline/offline-notice.css";

const LaterParts = lazy(() =>
  import("./later-parts.tsx").then(
    (module) => ({ default: module.LaterParts }),
    // Without a connection, and without a copy of it.
    () => ({ default: () => null }),
  ),
);

/** What begins when the first view is there and nothing else waits. */
export function Later() {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  if (!isTime) return null;
  return (
    <Suspense>
      <LaterParts />
    </Suspense>
  );
}

/** Calls once after the page's load event; returns what stops it. */
function whenIdle(call: () => void): () => void {
  const wait = () => {
    // Safari knows no idle moments.
    if ("requestIdleCallback" in window) requestIdleCallback(call, { timeout: 2_000 });
    else setTimeout(call, 200);
  };
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
  return () => removeEventListener("load", wait);
}
