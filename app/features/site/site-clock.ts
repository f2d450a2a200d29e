/** How far the site's clock is ahead of this device's, in milliseconds. */
let ahead = 0;

/** A Date header has full seconds, and the response took time to arrive. */
const NOT_TOLD_BY_AN_ANSWER = 60_000;

/** A `fetch` that learns the site's time from each response. Browsers hide the header of a backend on another host. */
export function withSiteClock(send: typeof fetch): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    const offset = Date.parse(response.headers.get("date") ?? "") - Date.now();
    if (!Number.isNaN(offset)) ahead = Math.abs(offset) < NOT_TOLD_BY_AN_ANSWER ? 0 : offset;
    return response;
  };
}

/** The site's current time, which decides what has expired; a device's own clock may be hours or years off. */
export function siteNow(): number {
  return Date.now() + ahead;
}
