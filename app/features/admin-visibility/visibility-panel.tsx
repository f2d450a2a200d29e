import { useEffect, useState } from "react";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import {
  CONFIGURED_PAGES,
  type ConfiguredPage,
  isVisible,
  type PageConfiguration,
} from "#domain/field-visibility.ts";
import { OFFERED_FIELDS, withVisibility } from "#domain/offered-fields.ts";
import { titled } from "#domain/words.ts";
import { useAct } from "../admin/use-act.ts";
import {
  listPageConfigurations,
  type StoredConfiguration,
  savePageConfiguration,
} from "./visibility-queries.ts";

const PAGE_LABELS: Record<ConfiguredPage, string> = {
  values: "Values",
  calculator: "Calculator",
  fruit_detail: "Fruit Detail",
  trade_history: "Trade History",
};

type Field = { name: string; label: string };
type VisibilityPanelProps = { customFields: readonly Field[] };

/** Page Field Visibility: a row for each field, a column for each page, saved by the page (2.admin.02 to .04). */
export function VisibilityPanel({ customFields }: VisibilityPanelProps) {
  const site = useSiteConfig();
  const [stored, setStored] = useState<StoredConfiguration[] | null>();
  useEffect(() => {
    openSession(site)
      .then(listPageConfigurations)
      .then(setStored, () => setStored(null));
  }, [site]);
  if (stored === undefined) return <Skeleton className="h-80" />;
  if (stored === null) return <p role="alert">Page configurations can't be read. Please reload the page.</p>;
  return <VisibilityTable stored={stored} customFields={customFields} />;
}

type Choices = Partial<Record<ConfiguredPage, string[]>>;

function VisibilityTable({ stored, customFields }: VisibilityPanelProps & { stored: StoredConfiguration[] }) {
  const [saved, setSaved] = useState<Choices>(() =>
    Object.fromEntries(stored.map(({ page_name, visible_fields }) => [page_name, visible_fields])),
  );
  const [typed, setTyped] = useState<Choices>({});
  const { isBusy, act } = useAct();
  const rows: Field[] = [...OFFERED_FIELDS.map((name) => ({ name, label: titled(name) })), ...customFields];

  const shownOn = (page: ConfiguredPage): PageConfiguration => typed[page] ?? saved[page] ?? null;
  function toggle(page: ConfiguredPage, field: string, isShown: boolean) {
    const keys = customFields.map(({ name }) => name);
    setTyped({ ...typed, [page]: withVisibility(shownOn(page), keys, field, isShown) });
  }

  const save = (page: ConfiguredPage, fields: string[]) =>
    act(async (client) => {
      const { visible_fields } = await savePageConfiguration(client, page, fields);
      setSaved({ ...saved, [page]: visible_fields });
      setTyped(({ [page]: _, ...others }) => others);
      showToast({ title: `${PAGE_LABELS[page]} page configuration updated` });
    });

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
            {CONFIGURED_PAGES.map((page) => {
              const fields = typed[page];
              return (
                <td key={page}>
                  <Button
                    size="sm"
                    variant={fields ? "primary" : "secondary"}
                    aria-label={`Save ${PAGE_LABELS[page]}`}
                    disabled={!fields || isBusy}
                    onClick={() => fields && void save(page, fields)}
                  >
                    Save
                  </Button>
                </td>
              );
            })}
          </tr>
        </tfoot>
      </table>
      <p className="mt-2 flex items-center gap-2 text-sm">
        {box("fruit_detail", "is_permanent", "Permanent or regular on Fruit Detail")}
        <span aria-hidden="true">Fruit Detail tells whether an item is permanent</span>
      </p>
    </>
  );
}
