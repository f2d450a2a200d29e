import { createContext, useContext } from "react";

/** The mark that a render puts on scripts of our own; undefined in the browser. */
export const ScriptNonceContext = createContext<string | undefined>(undefined);

/**
 * For the `nonce` of an inline script that we write ourselves. Only scripts with it run: the server hashes them into
 * the page's policy and takes the mark off, so that a kept page holds no secret and text that was smuggled in no mark.
 */
export function useScriptNonce(): string | undefined {
  return useContext(ScriptNonceContext);
}
