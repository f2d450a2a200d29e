/** By how much the site's clock is before this device's, in milliseconds. */
let ahead = 0;

/** An answer names full seconds, and was on its way for some. */
const NOT_TOLD_BY_AN_ANSWER = 60_000;

/** `fetch` that learns from each answer what time it is at the site. Of a backend elsewhere browsers do not tell it. */
export function withSiteClock(send: typeof fetch): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    const told = Date.parse(response.headers.get("date") ?? "") - Date.now();
    if (!Number.isNaN(told)) ahead = Math.abs(told) < NOT_TOLD_BY_AN_ANSWER ? 0 : told;
    return response;
  };
}

/** What time it is at the site, by which it judges what is over; a device's own clock may be hours or years off. */
export function siteNow(): number {
  return Date.now() + ahead;
}
