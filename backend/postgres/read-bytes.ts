import { types } from "pg";

/** The bytes of a `bytea` that PostgreSQL wrote as text, in either of its forms (`bytea_output`). */
export const readBytes: (text: string) => Buffer = types.getTypeParser(types.builtins.BYTEA);
