import { AuthError } from "../auth-error.ts";
import { createProviderFetch } from "../provider-protocols/provider-fetch.ts";
import { requirePublicAddresses } from "../provider-protocols/public-address.ts";

/**
 * Fetches an identity provider's metadata: from a public address over TLS, without redirects, limited in time and size.
 * @throws AuthError 400
 */
export async function fetchMetadata(
  address: string,
  { privateAddresses }: { privateAddresses: boolean },
): Promise<string> {
  await requirePublicAddresses([address], { privateAddresses });
  const fetchFromProvider = createProviderFetch({ publicOnly: !privateAddresses });
  const headers = { accept: "application/samlmetadata+xml, application/xml;charset=UTF-8" };
  const response = await fetchFromProvider(address, { headers }).catch(() => null);
  if (response?.status === 200) return response.text();
  const why = response ? `HTTP ${response.status} error` : "Error";
  throw new AuthError(400, "saml_metadata_fetch_failed", `${why} fetching SAML Metadata from URL`);
}
