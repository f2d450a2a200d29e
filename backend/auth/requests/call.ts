import { clientAddress } from "#backend/http/client-address.ts";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { networkOf } from "#backend/http/network-of.ts";
import type { AuthService } from "../service/auth-service.ts";

/** A request as endpoints see it. */
export type Call = {
  request: HttpRequest;
  /** The path's parameters. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  client: Client;
};

/** The client that sent the request. */
export type Client = {
  /** Null within the same process, or if the transport does not provide it. */
  address: string | null;
  /** The network that rate limits count by; null if the address is null. */
  network: string | null;
  userAgent: string;
  /** The hash that identifies the device, as far as possible; null if notices of new devices are off. */
  device: string | null;
};

/** `body` is sent as JSON, `text` as is; without either the response is empty. */
export type Reply = { status: number; body?: unknown; text?: string; headers?: Record<string, string> };

export type Endpoint<Asked extends Call = Call> = (call: Asked, service: AuthService) => Promise<Reply>;

/** Wraps endpoints so that they run only if `check` does not throw. */
export function onlyWhere(check: (service: AuthService) => void) {
  return <Asked extends Call>(endpoint: Endpoint<Asked>): Endpoint<Asked> =>
    async (call, service) => {
      check(service);
      return endpoint(call, service);
    };
}

export function readClient(request: HttpRequest, addressHeader: string | null): Omit<Client, "device"> {
  const address = clientAddress(request, addressHeader) || null;
  return {
    address,
    network: networkOf(address),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 500),
  };
}
