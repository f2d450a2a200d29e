import { findPasswordFault } from "#domain/password-rule.ts";
import type { Reading, Texts } from "./use-submit.ts";

/** A form's new password, or what is wrong with it. */
export function readNewPassword({ password = "" }: Texts): Reading<string> {
  const fault = findPasswordFault(password);
  return fault ? { field: "password", message: fault.message } : { input: password };
}
