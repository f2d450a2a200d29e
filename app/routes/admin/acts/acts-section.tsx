import { useState } from "react";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/form/select-field.tsx";
import { titled } from "#domain/text/words.ts";
import { ActList } from "./act-list.tsx";
import { OPERATOR, readAdmins } from "./act-queries.ts";
import { ACT_TABLES } from "./describe-act.ts";

/** The tables to filter by. */
function listTables(isAdmin: boolean) {
  const tables = Object.entries(ACT_TABLES).filter(([, { isOfPeople }]) => isAdmin || isOfPeople);
  // Former and current reports have the same name.
  const ofNow = tables.filter(([table]) => isAdmin || table !== "chat_reports");
  return [
    { value: "", label: "Everything" },
    ...ofNow.map(([value, { noun }]) => ({ value, label: titled(noun) })),
  ];
}

/**
 * What admins did, by whom and to what; for moderators, what they and admins did about users. Moderators cannot list
 * the admins.
 */
export function ActsSection() {
  const [adminId, setAdminId] = useState("");
  const [table, setTable] = useState("");
  const refresh = useRefresh();
  const isAdmin = useSession().isAdmin === true;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        {isAdmin && <AdminSelect value={adminId} onChange={setAdminId} />}
        <SelectField
          label="What"
          required
          className="min-w-48 flex-1"
          options={listTables(isAdmin)}
          value={table}
          onChange={(event) => setTable(event.target.value)}
        />
        <Button className="mb-1.5" onClick={() => void refresh("admin_acts")}>
          Refresh
        </Button>
      </div>
      <ActList filter={{ adminId, table }} />
    </div>
  );
}

function AdminSelect({ value, onChange }: { value: string; onChange(id: string): void }) {
  const { data: admins = [] } = useRead(["admin_acts", "admins"], readAdmins);
  return (
    <SelectField
      label="Admin"
      required
      className="min-w-48 flex-1"
      options={[
        { value: "", label: "Everybody" },
        ...admins.map(({ id, username }) => ({ value: id, label: username })),
        { value: OPERATOR, label: "The operator" },
      ]}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
