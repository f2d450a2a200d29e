import { createContext, useContext } from "react";

/** The nonce that a render puts on our own scripts; undefined in the browser. */
export const ScriptNonceContext = createContext<string | undefined>(undefined);

/**
 * For the `nonce` of our own inline scripts. Only scripts with it run: the server adds their hashes to the page's
 * policy and removes the nonce, so that a cached page holds no secret, and injected text no nonce.
 */
export function useScriptNonce(): string | undefined {
  return useContext(ScriptNonceContext);
}
