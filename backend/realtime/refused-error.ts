/** Why a client, its request or its channel is refused, as sent to it. */
export class RefusedError extends Error {
  override name = "RefusedError";
  /** Of a response over HTTP. */
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(message: string, status = 400, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
