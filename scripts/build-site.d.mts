/** Builds the site if its sources have changed since the last build. */
export function ensureBuilt(): Promise<void>;
