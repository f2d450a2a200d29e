import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Query } from "#backend/postgres/database.ts";
import { type Application, findApplication, isSecretOf } from "./application.ts";
import { OAuthError } from "./oauth-error.ts";

type Credentials = { id: string; secret: string };

/**
 * Authenticates the application requesting a token: by its secret in the header or body, or, for a public client, by
 * its id alone (RFC 6749 §2.3).
 * @throws OAuthError
 */
export async function authenticateApplication(
  { headers }: HttpRequest,
  form: Readonly<Record<string, string>>,
  query: Query,
): Promise<Application> {
  const { id, secret } = readCredentials(headers.authorization, form);
  const application = await findApplication(query, id);
  if (!application) throw refused("Client authentication failed");
  if (application.client_type === "public") {
    if (secret !== "") throw refused("Public clients must not send a client_secret");
    return application;
  }
  if (!isSecretOf(application, secret)) throw refused("Client authentication failed");
  return application;
}

function readCredentials(header: string | undefined, form: Readonly<Record<string, string>>): Credentials {
  const { client_id: id = "", client_secret: secret = "" } = form;
  if (!header || !/^basic /i.test(header)) {
    if (id === "") throw refused("Client authentication required");
    return { id, secret };
  }
  const given = readBasic(header.slice("basic ".length).trim());
  if (secret !== "" || (id !== "" && id !== given.id)) {
    throw new OAuthError("invalid_request", "Only one way of client authentication may be used");
  }
  return given;
}

/** Id and secret are form-encoded before they are joined. */
function readBasic(encoded: string): Credentials {
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  if (rest.length === 0) throw refused("Client authentication failed");
  try {
    return { id: decode(id), secret: decode(rest.join(":")) };
  } catch {
    throw refused("Client authentication failed");
  }
}

const decode = (text: string) => decodeURIComponent(text.replaceAll("+", " "));

const refused = (message: string) => new OAuthError("invalid_client", message);
