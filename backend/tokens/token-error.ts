/** Why a token is refused, in PostgREST's codes: 300 no secret to check with, 301 unreadable or forged, 302 a token is needed, 303 claims. */
export type TokenErrorCode = "PGRST300" | "PGRST301" | "PGRST302" | "PGRST303";

export class TokenError extends Error {
  override name = "TokenError";
  readonly code: TokenErrorCode;

  constructor(code: TokenErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
