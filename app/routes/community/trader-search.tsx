import { type FormEvent, useEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { formatTraderQuery, TRADER_SORTS, type TraderQuery } from "#app/features/community/trader-query.ts";
import { Button } from "#app/ui/button.tsx";
import { SearchField } from "#app/ui/search-field.tsx";

/** How long typing pauses before the list follows. */
const PAUSE = 350;

/** Search and order. An ordinary form and ordinary links, which scripts only hurry along. */
export function TraderSearch({ query }: { query: TraderQuery }) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useFollow(form, query.search);

  function search() {
    clearTimeout(timer.current);
    const text = new FormData(form.current ?? undefined).get("q");
    const next = formatTraderQuery({ ...query, search: String(text ?? "").trim(), page: 1 });
    if (next !== formatTraderQuery({ ...query, page: 1 })) {
      void navigate(next, { replace: true, preventScrollReset: true });
    }
  }

  return (
    <div className="trader-search">
      <search>
        <form
          ref={form}
          action="/community"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            search();
          }}
        >
          <SearchField
            label="Search traders"
            placeholder="Search traders..."
            name="q"
            maxLength={40}
            defaultValue={query.search}
            onChange={() => {
              clearTimeout(timer.current);
              timer.current = setTimeout(search, PAUSE);
            }}
          />
          {query.sort !== "name" && <input type="hidden" name="sort" value={query.sort} />}
          <Button type="submit">Search</Button>
        </form>
      </search>
      <nav aria-label="Order of traders">
        {TRADER_SORTS.map(({ sort, label }) => (
          <Link
            key={sort}
            to={formatTraderQuery({ ...query, sort, page: 1 })}
            aria-current={sort === query.sort ? "true" : undefined}
            preventScrollReset
            prefetch="intent"
            className="tab"
          >
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}

/** Back and forward bring another search with them; what is being typed is left alone. */
function useFollow(form: React.RefObject<HTMLFormElement | null>, search: string) {
  useEffect(() => {
    const field = form.current?.elements.namedItem("q") as HTMLInputElement | null;
    if (field && field !== document.activeElement) field.value = search;
  }, [form, search]);
}
