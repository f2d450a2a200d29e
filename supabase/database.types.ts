// biome-ignore lint/suspicious/noExplicitAny: replaced by the generated types
export type Database = any;
