import { createFunctions, type Functions } from "#backend/functions/create-functions.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { BackendOptions } from "./backend-options.ts";

/** functions/v1, with what all services share. */
export function openFunctions(
  { addressHeader = null, corsOrigins = null, log = () => {} }: BackendOptions,
  options: NonNullable<BackendOptions["functions"]>,
  verifier: TokenVerifier,
): Functions {
  return createFunctions({ addressHeader, corsOrigins, log, ...options, verifier });
}
