import { createFunctions, type Functions } from "#backend/functions/create-functions.ts";
import { ALONE } from "#backend/memory/crew.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { BackendOptions } from "./backend-options.ts";

/** functions/v1 with the options shared by all services. */
export function openFunctions(
  { addressHeader = null, corsOrigins = null, crew = ALONE, log = () => {} }: BackendOptions,
  options: NonNullable<BackendOptions["functions"]>,
  verifier: TokenVerifier,
): Functions {
  return createFunctions({ addressHeader, corsOrigins, crew, log, ...options, verifier });
}
