/** Why the site cannot start or go on, as one sentence for the operator; shown without a stack. */
export class StartError extends Error {
  override name = "StartError";
}
