import { createFunctions, type Functions } from "#backend/functions/create-functions.ts";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { BackendOptions } from "./backend-options.ts";

/** functions/v1 with the options shared by all services. */
export function openFunctions(
  { addressHeader = null, corsOrigins = null, processGroup = SINGLE_PROCESS, log = () => {} }: BackendOptions,
  options: NonNullable<BackendOptions["functions"]>,
  verifier: TokenVerifier,
): Functions {
  return createFunctions({ addressHeader, corsOrigins, processGroup, log, ...options, verifier });
}
