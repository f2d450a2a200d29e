import { type ApiError, apiError } from "../api-error.ts";

export function tooComplex(what: string, limit: number): ApiError {
  return apiError(400, "PGRST100", "The query is too complex", `${what}: at most ${limit} allowed`);
}
