import { useState } from "react";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/select-field.tsx";
import { titled } from "#domain/text/words.ts";
import { ActList } from "./act-list.tsx";
import { OPERATOR, readAdmins } from "./act-queries.ts";
import { ACT_TABLES } from "./describe-act.ts";

const TABLES = [
  { value: "", label: "Everything" },
  ...Object.entries(ACT_TABLES).map(([value, noun]) => ({ value, label: titled(noun) })),
];

/** What admins did, by whom and to what. */
export function ActsSection() {
  const [adminId, setAdminId] = useState("");
  const [table, setTable] = useState("");
  const refresh = useRefresh();
  const { data: admins = [] } = useRead(["admin_acts", "admins"], readAdmins);
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        <SelectField
          label="Admin"
          required
          className="min-w-48 flex-1"
          options={[
            { value: "", label: "Everybody" },
            ...admins.map(({ id, username }) => ({ value: id, label: username })),
            { value: OPERATOR, label: "The operator" },
          ]}
          value={adminId}
          onChange={(event) => setAdminId(event.target.value)}
        />
        <SelectField
          label="What"
          required
          className="min-w-48 flex-1"
          options={TABLES}
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
