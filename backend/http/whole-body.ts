import type { HttpRequest } from "./http-message.ts";

/** The body in one piece. @param refuse makes the error for one that is longer than the service takes */
export function wholeBody({ body }: HttpRequest, refuse: (limit: number) => Error): Uint8Array | null {
  if (body === null || body instanceof Uint8Array) return body;
  throw refuse(body.limit);
}
