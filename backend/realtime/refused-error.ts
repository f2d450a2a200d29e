/** What is wrong with the parts of a request, by their names. */
export type Faults = { [name: string]: (string | Faults)[] };

/** Why a client, its request or its channel is refused, as sent to it. */
export class RefusedError extends Error {
  override name = "RefusedError";
  /** Of a response over HTTP. */
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly errors: Faults | null;

  constructor(
    message: string,
    status = 400,
    headers: Record<string, string> = {},
    errors: Faults | null = null,
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.errors = errors;
  }
}
