import { useEffect, useState } from "react";

/** Whole seconds that are left, and how to begin with so many. */
export function useCountdown(): [left: number, begin: (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const left = Math.max(0, Math.ceil((endsAt - now) / 1_000));
  const isRunning = left > 0;

  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);

  function begin(seconds: number) {
    setNow(performance.now());
    setEndsAt(performance.now() + seconds * 1_000);
  }
  return [left, begin];
}
