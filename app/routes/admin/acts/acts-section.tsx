import { useSearchParams } from "react-router";
import { useRead, useReadPages, useRefresh } from "#app/features/live/use-read.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/form/select-field.tsx";
import { titled } from "#domain/text/words.ts";
import { type Act, type ActFilter, OPERATOR, readActs, readAdmins } from "./act-queries.ts";
import {
  ACT_TABLES,
  type ActGroup,
  describeAct,
  describeGroup,
  groupActs,
  listChanges,
  nameAdmin,
} from "./describe-act.ts";

/** The tables to filter by. */
function listTables(isAdmin: boolean) {
  const tables = Object.entries(ACT_TABLES).filter(([, { isOfPeople }]) => isAdmin || isOfPeople);
  return [
    { value: "", label: "Everything" },
    ...tables.map(([value, { noun }]) => ({ value, label: titled(noun) })),
  ];
}

/** What admins did; for moderators, what was done about users. Moderators cannot list the admins. In the address. */
export function ActsSection() {
  const [search, setSearch] = useSearchParams();
  function choose(name: "by" | "what", value: string) {
    const next = new URLSearchParams(search);
    if (value) next.set(name, value);
    else next.delete(name);
    setSearch(next, { replace: true, preventScrollReset: true });
  }
  const refresh = useRefresh();
  const isAdmin = useSession().isAdmin === true;
  const tables = listTables(isAdmin);
  // A moderator may have an admin's address.
  const adminId = (isAdmin && search.get("by")) || "";
  const table = tables.find(({ value }) => value === search.get("what"))?.value ?? "";
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-end gap-4">
        {isAdmin && <AdminSelect value={adminId} onChange={(id) => choose("by", id)} />}
        <SelectField
          label="What"
          required
          className="min-room-48 flex-1"
          options={tables}
          value={table}
          onChange={(event) => choose("what", event.target.value)}
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
      className="min-room-48 flex-1"
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

/** The actions that match a filter, newest first. */
function ActList({ filter }: { filter: ActFilter }) {
  const read = useReadPages(
    ["admin_acts", filter],
    (client, before?: number) => readActs(client, filter, before),
    ({ acts, older }) => (older ? acts.at(-1)?.id : undefined),
  );

  async function readOlder() {
    const { error } = await read.fetchNextPage();
    if (error) showFailure(error);
  }

  return (
    <div className="grid gap-4">
      <ReadState read={read} what="Acts">
        {({ pages }) => {
          const acts = pages.flatMap((page) => page.acts);
          const names: Record<string, string> = Object.assign({}, ...pages.map((page) => page.names));
          if (acts.length === 0) return <p className="text-muted">Nothing like this has been done yet.</p>;
          return (
            <ol>
              {groupActs(acts, pages.at(-1)?.older).map((group) => (
                <li key={group.key}>
                  <ActEntry group={group} names={names} />
                </li>
              ))}
            </ol>
          );
        }}
      </ReadState>
      {read.hasNextPage && (
        <Button
          className="justify-self-start"
          disabled={read.isFetchingNextPage}
          onClick={() => void readOlder()}
        >
          Show older
        </Button>
      )}
    </div>
  );
}

/** One entry of the list: who did what and when; expanded, what changed. */
function ActEntry({ group, names }: { group: ActGroup; names: Record<string, string> }) {
  const [first] = group.acts;
  const sentence = (
    <span className="flex-1 wrap-anywhere">
      <span className="font-semibold">{nameAdmin(first, names)}</span>{" "}
      <span className="font-normal">{describeGroup(group, names)}</span>
      <Moment at={first.at} className="block font-normal text-muted text-sm" />
    </span>
  );
  const isEmpty = group.acts.length === 1 && listChanges(first).length === 0;
  if (isEmpty) return <div className="border-line border-b py-3">{sentence}</div>;
  return (
    <details className="disclosure">
      <summary>{sentence}</summary>
      <div className="grid gap-4">
        {group.acts.map((act) => (
          <div key={act.id}>
            {group.acts.length > 1 && <p className="font-semibold">{describeAct(act, names)}</p>}
            <Changes act={act} names={names} />
          </div>
        ))}
      </div>
    </details>
  );
}

function Changes({ act, names }: { act: Act; names: Record<string, string> }) {
  return (
    <dl className="grid gap-1 text-sm wrap-anywhere">
      {listChanges(act, names).map(({ column, before, after }) => (
        <div key={column} className="grid gap-x-3 sm:grid-cols-[12rem_1fr]">
          <dt>{column}</dt>
          <dd className="text-ink">
            {before !== null && <del className="text-fall">{before}</del>}
            {before !== null && after !== null && " → "}
            {after !== null && <ins className="text-rise no-underline">{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
