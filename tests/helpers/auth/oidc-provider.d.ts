declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** Types for the part of oidc-provider that the tests use. */
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string } }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>;
    AccessToken: { find(token: string): Promise<{ accountId: string; scope?: string } | undefined> };
    Grant: new (
      properties: Record<string, unknown>,
    ) => {
      addOIDCScope(scopes: string): void;
      addOIDCClaims(claims: string[]): void;
      save(): Promise<string>;
    };
  }
}
