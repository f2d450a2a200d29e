import { LiveQueries } from "#app/features/live/live-queries.tsx";
import { AdminGate } from "./admin-gate.tsx";
import { AdminTabs } from "./admin-tabs.tsx";

/** What only admins see, behind the gate that lets them pass. */
export function AdminArea({ userId }: { userId: string }) {
  return (
    <LiveQueries>
      <AdminGate userId={userId}>
        <AdminTabs />
      </AdminGate>
    </LiveQueries>
  );
}
