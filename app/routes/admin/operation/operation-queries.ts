import type { SessionClient } from "#app/features/session/session-client.ts";
import type { OperationReport } from "#domain/operation/operation-report.ts";

/** The site's state, as its server reports it to admins. @throws if it does not respond, or refuses this user */
export async function readOperation(client: SessionClient): Promise<OperationReport> {
  const { data } = await client.auth.getSession();
  const answer = await fetch("/operator-report", {
    headers: { authorization: `Bearer ${data.session?.access_token}` },
    cache: "no-store",
  });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
}
