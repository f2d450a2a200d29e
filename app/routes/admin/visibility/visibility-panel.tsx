import { useState } from "react";
import { useRead } from "#app/features/live/use-read.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import {
  CONFIGURED_PAGES,
  type ConfiguredPage,
  isVisible,
  type PageConfiguration,
} from "#domain/fields/field-visibility.ts";
import { OFFERED_FIELDS, withVisibility } from "#domain/fields/offered-fields.ts";
import { titled } from "#domain/text/words.ts";
import type { Tables } from "#supabase/database.types.ts";

const PAGE_LABELS: Record<ConfiguredPage, string> = {
  values: "Values",
  calculator: "Calculator",
  fruit_detail: "Fruit Detail",
  trade_history: "Trade History",
};

type Field = { name: string; label: string };
type VisibilityPanelProps = { customFields: readonly Field[] };

/** Page Field Visibility: a row per field, a column per page, saved by page (2.admin.02 to .04). */
export function VisibilityPanel({ customFields }: VisibilityPanelProps) {
  const configurations = useRead(["page_configurations"], listPageConfigurations);
  return (
    <ReadState read={configurations} what="Page configurations">
      {(stored) => <VisibilityTable stored={stored} customFields={customFields} />}
    </ReadState>
  );
}

function VisibilityTable({ stored, customFields }: VisibilityPanelProps & { stored: StoredConfiguration[] }) {
  const { shownOn, toggle, isSwitched, save, isBusy } = useSwitched(stored, customFields);
  const rows: Field[] = [...OFFERED_FIELDS.map((name) => ({ name, label: titled(name) })), ...customFields];
  const box = (page: ConfiguredPage, field: string, label: string) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={isVisible(shownOn(page), field as "name")}
      onChange={(event) => toggle(page, field, event.target.checked)}
    />
  );
  return (
    <>
      <table className="visibility-table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {CONFIGURED_PAGES.map((page) => (
              <th key={page} scope="col">
                {PAGE_LABELS[page]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              {CONFIGURED_PAGES.map((page) => (
                <td key={page}>{box(page, name, `${label} on ${PAGE_LABELS[page]}`)}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            {CONFIGURED_PAGES.map((page) => (
              <td key={page}>
                <Button
                  size="sm"
                  variant={isSwitched(page) ? "primary" : "secondary"}
                  aria-label={`Save ${PAGE_LABELS[page]}`}
                  disabled={!isSwitched(page) || isBusy}
                  onClick={() => void save(page)}
                >
                  Save
                </Button>
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box is inside */}
      <label className="flex min-h-(--control) w-fit items-center gap-2 text-sm">
        {box("fruit_detail", "is_permanent", "Permanent or regular on Fruit Detail")}
        <span aria-hidden="true">Fruit Detail tells whether an item is permanent</span>
      </label>
    </>
  );
}

/** The stored configuration, others' changes included, with the boxes that were switched here and not saved yet. */
function useSwitched(stored: readonly StoredConfiguration[], customFields: readonly Field[]) {
  const [switched, setSwitched] = useState<Partial<Record<ConfiguredPage, Record<string, boolean>>>>({});
  const { isBusy, act } = useAct("page_configurations");
  const keys = customFields.map(({ name }) => name);

  function shownOn(page: ConfiguredPage, over = stored): PageConfiguration {
    const before = over.find(({ page_name }) => page_name === page)?.visible_fields ?? null;
    return Object.entries(switched[page] ?? {}).reduce<PageConfiguration>(
      (fields, [field, isShown]) => withVisibility(fields, keys, field, isShown),
      before,
    );
  }

  function toggle(page: ConfiguredPage, field: string, isShown: boolean) {
    setSwitched({ ...switched, [page]: { ...switched[page], [field]: isShown } });
  }

  async function save(page: ConfiguredPage) {
    const sent = switched[page];
    const isDone = await act(async (client) => {
      // Others may have saved what this page has not learned of yet.
      const fields = shownOn(page, await listPageConfigurations(client)) ?? [];
      await savePageConfiguration(client, page, [...fields]);
    }, `${PAGE_LABELS[page]} page configuration updated`);
    if (!isDone) return;
    setSwitched(({ [page]: now = {}, ...others }) => {
      const left = Object.entries(now).filter(([field, isShown]) => isShown !== sent?.[field]);
      return left.length > 0 ? { ...others, [page]: Object.fromEntries(left) } : others;
    });
  }

  return { shownOn, toggle, isSwitched: (page: ConfiguredPage) => page in switched, save, isBusy };
}

type StoredConfiguration = Tables<"page_configurations">;

/** The configurations of all pages (7.read.04). @throws the service's error */
async function listPageConfigurations(client: SessionClient): Promise<StoredConfiguration[]> {
  return (await client.from("page_configurations").select("*").throwOnError()).data;
}

/** Saves the fields that a page shows (7.write.07). @throws the service's error */
async function savePageConfiguration(
  client: SessionClient,
  page_name: ConfiguredPage,
  visible_fields: string[],
): Promise<void> {
  await client
    .from("page_configurations")
    .upsert({ page_name, visible_fields }, { onConflict: "page_name" })
    .throwOnError();
}
