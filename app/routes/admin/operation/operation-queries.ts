import type { SessionClient } from "#app/features/session/session-client.ts";
import type { OperationReport } from "#domain/operation/operation-report.ts";

/** How the site goes, as its own server tells admins. @throws where it does not answer, or not to this person */
export async function readOperation(client: SessionClient): Promise<OperationReport> {
  const { data } = await client.auth.getSession();
  const answer = await fetch("/operator-report", {
    headers: { authorization: `Bearer ${data.session?.access_token}` },
    cache: "no-store",
  });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
}
