/** Builds the site when its sources are not the ones it was last built from. */
export function ensureBuilt(): Promise<void>;
