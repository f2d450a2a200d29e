export declare const LEAN_FLAGS: readonly string[];
export declare const LEAN_ENVIRONMENT: Readonly<Record<string, string>>;
/** Begins this very process anew with them. */
export declare function restartLean(): void;
