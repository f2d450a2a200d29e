import type { User, UserIdentity } from "@supabase/supabase-js";
import type { SignInProvider } from "./sign-in-provider.ts";

/** The user's accounts at other providers. */
export function linkedOf({ identities = [] }: User): UserIdentity[] {
  return identities.filter(({ provider }) => provider !== "email" && provider !== "phone");
}

export function nameOf(provider: string, providers: readonly SignInProvider[] = []): string {
  const known = providers.find(({ id }) => id === provider)?.name;
  const plain = provider.replace(/^custom:/, "");
  return known ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
