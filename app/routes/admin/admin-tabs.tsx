import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useId, useRef } from "react";
import { useSearchParams } from "react-router";
import type { Followed } from "#app/features/live/follow-changes.ts";
import { useFollowedChanges } from "#app/features/live/live-queries.tsx";
import type { Shown } from "#app/features/live/query-client.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { countOpenReports } from "#app/routes/admin/moderation/case-queries.ts";
import { Notices } from "#app/routes/admin/notices/notices.tsx";
import { countWaiting } from "#app/routes/admin/proposals/proposal-queries.ts";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { TabStrip } from "#app/ui/tab-strip.tsx";
import type { AdminTabId } from "#domain/notices/admin-tab.ts";

type AdminTab = {
  id: AdminTabId;
  label: string;
  panel: LazyExoticComponent<ComponentType>;
  /** Who may open it besides admins. */
  also?: "editor" | "moderator";
};

/** In this order (2.admin.01); the id is in the address as `?tab=`. */
const ADMIN_TABS: readonly [AdminTab, ...AdminTab[]] = [
  {
    id: "items",
    label: "Manage Items",
    also: "editor",
    panel: lazy(() => import("./items/items-panel.tsx")),
  },
  {
    id: "categories",
    label: "Manage Categories",
    panel: lazy(() => import("./categories/categories-panel.tsx")),
  },
  {
    id: "fields",
    label: "Field Settings",
    panel: lazy(() => import("./fields/fields-panel.tsx")),
  },
  {
    id: "ads",
    label: "Ads Management",
    panel: lazy(() => import("./ads/ads-panel.tsx")),
  },
  {
    id: "grid",
    label: "Value Grid",
    also: "editor",
    panel: lazy(() => import("./items/grid/grid-panel.tsx")),
  },
  {
    id: "work",
    label: "Work List",
    also: "editor",
    panel: lazy(() => import("./items/work/work-panel.tsx")),
  },
  {
    id: "proposals",
    label: "Proposals",
    also: "editor",
    panel: lazy(() => import("./proposals/proposals-panel.tsx")),
  },
  {
    id: "moderation",
    label: "Moderation",
    also: "moderator",
    panel: lazy(() => import("./moderation/moderation-panel.tsx")),
  },
  {
    id: "operation",
    label: "Operation",
    panel: lazy(() => import("./operation/operation-panel.tsx")),
  },
];

const follow = (...tables: Shown[]): Followed => ({ channel: "admin", tables: [...new Set(tables)] });

/** What moderators follow. */
const DESK = follow("reports", "sanctions", "appeals", "case_notes", "second_opinions", "editor_notices");

/** What editors follow. */
const VALUES = follow(
  "items",
  "categories",
  "field_definitions",
  "value_proposals",
  "value_sets",
  "change_pictures",
  "status_words",
  "editor_names",
  "editor_notices",
);

/** What users with both roles follow who are not admins. */
const DESK_AND_VALUES = follow(...VALUES.tables, ...DESK.tables);

/** What all panels show. */
export const EVERYTHING = follow(
  ...DESK_AND_VALUES.tables,
  "page_configurations",
  "ads",
  "word_requests",
  "game_updates",
);

/**
 * The tabs of the admin area; moderators see only Moderation, editors only what concerns values. An opened panel stays
 * mounted while hidden, so that nothing typed in it is lost.
 */
export function AdminTabs() {
  const [search, setSearch] = useSearchParams();
  const panelId = useId();
  const { isAdmin, isEditor, isModerator } = useSession();
  useFollowedChanges(
    isAdmin ? EVERYTHING : isEditor && isModerator ? DESK_AND_VALUES : isEditor ? VALUES : DESK,
  );
  const counts: Partial<Record<AdminTabId, number | undefined>> = {
    moderation: useRead(["reports", "count"], countOpenReports).data,
    proposals: useRead(["value_proposals", "count"], countWaiting).data,
  };
  const roles = { editor: isEditor, moderator: isModerator };
  const tabs = ADMIN_TABS.filter(({ also }) => isAdmin || (also && roles[also]));
  const [first = ADMIN_TABS[0]] = tabs;
  const current = tabs.find(({ id }) => id === search.get("tab")) ?? first;
  const opened = useRef(new Set<string>()).current.add(current.id);

  function select(id: string) {
    setSearch(id === first.id ? {} : { tab: id }, { replace: true, preventScrollReset: true });
  }

  return (
    <div className="grid gap-5">
      <Notices />
      <TabStrip
        label="Admin area"
        tabs={tabs.map(({ id, label }) => ({
          value: id,
          label: counts[id] ? `${label} (${counts[id]})` : label,
        }))}
        value={current.id}
        onSelect={select}
        panelId={panelId}
        className="md:flex-wrap md:gap-1 md:[&>.tab]:px-2.5"
      />
      <div id={panelId} role="tabpanel" aria-label={current.label} className="min-w-0">
        {tabs
          .filter(({ id }) => opened.has(id))
          .map(({ id, panel: Panel }) => (
            <div key={id} hidden={id !== current.id}>
              <Suspense fallback={<Skeleton className="h-96" />}>
                <Panel />
              </Suspense>
            </div>
          ))}
      </div>
    </div>
  );
}
