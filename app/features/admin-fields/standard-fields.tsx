import { useState } from "react";
import { Badge } from "#app/ui/badge.tsx";
import { CheckboxField } from "#app/ui/checkbox-field.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import type { FieldDefinition } from "../admin/field-definitions.ts";
import { useAct } from "../admin/use-act.ts";
import { saveFieldVisible } from "./field-writes.ts";

type StandardFieldsProps = { fields: readonly FieldDefinition[]; reload(): Promise<void> };

/** Which standard fields the item form shows (2.admin.14). */
export function StandardFields({ fields, reload }: StandardFieldsProps) {
  return (
    <ul className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-4">
      {fields.map((field) => (
        <li key={field.id}>
          <FieldSwitch field={field} reload={reload} />
        </li>
      ))}
    </ul>
  );
}

/** Saved as soon as it is switched; stands as it was when it could not be saved. */
function FieldSwitch({ field, reload }: { field: FieldDefinition; reload(): Promise<void> }) {
  const { act } = useAct();
  const [wanted, setWanted] = useState<boolean | null>(null);

  async function show(visible: boolean) {
    setWanted(visible);
    const saved = await act((client) => saveFieldVisible(client, field, visible));
    await reload();
    setWanted(null);
    if (!saved) return;
    showToast({
      title: "Field settings saved",
      description: `The item form ${visible ? "shows" : "hides"} ${field.label}.`,
    });
  }

  return (
    <CheckboxField
      label={
        <>
          {field.label} {field.required && <Badge className="ml-1">Required</Badge>}
        </>
      }
      checked={wanted ?? field.visible}
      disabled={field.required}
      onChange={(event) => wanted === null && void show(event.target.checked)}
    />
  );
}
