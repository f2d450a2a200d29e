import { data, type RouterContextProvider } from "react-router";
import { providersContext, type SignInProvider } from "#app/server-context.ts";

/** For a page that offers other services to sign in through; without them where they cannot be read, and not kept then. */
export async function loadProviders(context: Readonly<RouterContextProvider>) {
  try {
    return data<{ providers: readonly SignInProvider[] }>({
      providers: await context.get(providersContext)(),
    });
  } catch {
    return data<{ providers: readonly SignInProvider[] }>({ providers: [] }, { status: 503 });
  }
}
