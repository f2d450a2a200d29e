import type { HttpRequest } from "./http-message.ts";

/** The buffered body. @param refuse creates the error for one that exceeds the service's limit */
export function wholeBody({ body }: HttpRequest, refuse: (limit: number) => Error): Uint8Array | null {
  if (body === null || body instanceof Uint8Array) return body;
  throw refuse(body.limit);
}
