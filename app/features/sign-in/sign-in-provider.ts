import { data } from "react-router";

/** A provider to sign in with; `id` as the official client names it. */
export type SignInProvider = { id: string; name: string };

/** The enabled providers, in display order; rejects if they cannot be read. */
export type ListProviders = () => Promise<readonly SignInProvider[]>;

/** The providers for a page that offers sign-in; empty if they cannot be read, and then not cached. */
export async function loadProviders(list: ListProviders) {
  try {
    return data<{ providers: readonly SignInProvider[] }>({ providers: await list() });
  } catch {
    return data<{ providers: readonly SignInProvider[] }>({ providers: [] }, { status: 503 });
  }
}
