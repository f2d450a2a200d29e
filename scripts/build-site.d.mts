/** Builds the site if its sources have changed since the last build. */
export function ensureBuilt(): Promise<void>;
/** All inputs of the build: files and folders. */
export declare const INPUTS: readonly string[];
/** The file of the turn to build. */
export declare const TURN: string;
