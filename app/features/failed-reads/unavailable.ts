import { data } from "react-router";

/** What a loader returns in place of data that it could not read. */
export type Unavailable = { unavailable: true };

/**
 * A loader's response if the read that its page is about failed (P30): status 503, never cached, to be retried after
 * ten seconds. The page shows an `ErrorState` in its frame, without a toast.
 */
export function unavailable() {
  const headers = { "Cache-Control": "no-store", "Retry-After": "10" };
  return data<Unavailable>({ unavailable: true }, { status: 503, headers });
}
