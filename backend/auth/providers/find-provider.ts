import { type AuthError, validationFailed } from "../auth-error.ts";
import { describeProvider } from "../provider-protocols/known-providers.ts";
import type { Provider } from "../provider-protocols/provider.ts";
import type { AuthService } from "../service/auth-service.ts";
import { findCustomProvider } from "./custom-providers.ts";

/** Null if the provider is not configured, or disabled. */
export async function findProvider(
  service: Pick<AuthService, "config" | "database" | "sealingKeys">,
  id: string,
): Promise<Provider | null> {
  const { providers, providerProfiles, customProviders } = service.config;
  const configured = providers.find((settings) => settings.id === id);
  if (configured) return describeProvider(configured, { profiles: providerProfiles });
  return customProviders.enabled && id.startsWith("custom:") ? findCustomProvider(service, id) : null;
}

export function unsupported(id: string): AuthError {
  return validationFailed(
    id ? "Unsupported provider: provider is not enabled" : "Unsupported provider: missing provider",
  );
}
