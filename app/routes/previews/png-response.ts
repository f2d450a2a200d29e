/** A preview as the parsers of links take it; who fetches it again asks whether it is still the same. */
export function pngResponse(png: Buffer): Response {
  return new Response(new Uint8Array(png), { headers: { "content-type": "image/png" } });
}
