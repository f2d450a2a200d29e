import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { Link, useNavigate, useNavigation } from "react-router";
import {
  formatTraderQuery,
  parseTraderQuery,
  TRADER_SORTS,
  type TraderQuery,
} from "#app/features/community/trader-query.ts";
import { Button } from "#app/ui/button.tsx";
import { SearchField } from "#app/ui/search-field.tsx";

/** How long typing must pause before the list is searched, in milliseconds. */
const PAUSE = 350;

/** Search and sort order: a plain form and plain links, sped up by scripts. */
export function TraderSearch({ query }: { query: TraderQuery }) {
  const navigate = useNavigate();
  const pending = useNavigation().location;
  const form = useRef<HTMLFormElement>(null);
  /** Text that was typed and not searched for yet. */
  const [typed, setTyped] = useState<string | null>(null);
  useFollow(form, query.search);

  /** `pressed`: the order whose link was pressed since, which may not be pending yet. */
  function search(pressed: TraderQuery | null = null) {
    setTyped(null);
    const text = new FormData(form.current ?? undefined).get("q");
    // A just chosen order may still be loading.
    const isLoading = pending?.pathname === "/community";
    const chosen = pressed ?? (isLoading ? parseTraderQuery(new URLSearchParams(pending.search)) : query);
    const next = formatTraderQuery({ ...chosen, search: String(text ?? "").trim(), page: 1 });
    if (next !== formatTraderQuery({ ...chosen, page: 1 })) {
      void navigate(next, { replace: true, preventScrollReset: true });
    }
  }

  // Back or a link pressed meanwhile counts: the search would cancel it.
  const onPause = useEffectEvent((pressed: TraderQuery | null) => {
    if (!pending || pending.pathname === "/community") search(pressed);
  });
  useEffect(() => {
    if (typed === null) return;
    let pressed: TraderQuery | null = null;
    const timer = setTimeout(() => onPause(pressed), PAUSE);
    // At once: what is pending is known only when the page has rendered it.
    const giveWay = ({ target, defaultPrevented }: MouseEvent) => {
      const link = (target as Element).closest("a");
      if (link && link.pathname !== "/community") clearTimeout(timer);
      // A link that opens in another tab is left to the browser.
      else if (link && defaultPrevented) pressed = parseTraderQuery(new URLSearchParams(link.search));
    };
    document.addEventListener("click", giveWay);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("click", giveWay);
    };
  }, [typed]);

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
            onChange={(event) => setTyped(event.target.value)}
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

/** Follows Back and Forward, but leaves alone what is being typed. */
function useFollow(form: React.RefObject<HTMLFormElement | null>, search: string) {
  useEffect(() => {
    const field = form.current?.elements.namedItem("q") as HTMLInputElement | null;
    if (field && field !== document.activeElement) field.value = search;
  }, [form, search]);
}
