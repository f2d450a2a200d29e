import { data } from "react-router";

/** Another service through which people sign in; `id` as the official client names it. */
export type SignInProvider = { id: string; name: string };

/** Those that are on, in the order in which they are offered; rejects where that cannot be read. */
export type ListProviders = () => Promise<readonly SignInProvider[]>;

/** For a page that offers other services to sign in through; without them where they cannot be read, and not kept then. */
export async function loadProviders(list: ListProviders) {
  try {
    return data<{ providers: readonly SignInProvider[] }>({ providers: await list() });
  } catch {
    return data<{ providers: readonly SignInProvider[] }>({ providers: [] }, { status: 503 });
  }
}
