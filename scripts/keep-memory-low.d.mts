export declare const LEAN_FLAGS: readonly string[];
export declare const LEAN_ENVIRONMENT: Readonly<Record<string, string>>;
/** Restarts this process with them. */
export declare function restartLean(): void;
