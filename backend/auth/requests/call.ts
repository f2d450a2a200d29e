import { clientAddress } from "#backend/http/client-address.ts";
import type { HttpRequest } from "#backend/http/http-message.ts";
import { networkOf } from "#backend/http/network-of.ts";
import type { AuthService } from "../service/auth-service.ts";

/** A request as the endpoints see it. */
export type Call = {
  request: HttpRequest;
  /** What the path names in braces. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  client: Client;
};

/** Who is at the other end of the wire. */
export type Client = {
  /** Null inside the same process, and where the transport does not tell. */
  address: string | null;
  /** What limits count by; null where the address is. */
  network: string | null;
  userAgent: string;
  /** Which device it is, as far as that can be told; null where nobody asks. */
  device: string | null;
};

/** `body` becomes JSON, `text` goes out as it is; without either the answer is empty. */
export type Reply = { status: number; body?: unknown; text?: string; headers?: Record<string, string> };

export type Endpoint<Asked extends Call = Call> = (call: Asked, service: AuthService) => Promise<Reply>;

/** Makes endpoints that answer only where `check` throws nothing. */
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
