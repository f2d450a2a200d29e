import { LinkButton } from "#app/ui/link-button.tsx";
import { type FoundItems, ITEMS_A_PAGE, pageAddress } from "./found-items.ts";

type PageLinksProps = {
  pages: readonly FoundItems[];
  query: string;
  /** Appends the next page; resolves to whether it was loaded. */
  onMore: () => Promise<boolean>;
};

/** The position in a long list, and links to other pages, which scripts turn into one growing list. */
export function PageLinks({ pages, query, onMore }: PageLinksProps) {
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || last.count <= ITEMS_A_PAGE) return null;
  const [from, to] = [(first.page - 1) * ITEMS_A_PAGE + 1, Math.min(last.page * ITEMS_A_PAGE, last.count)];
  const next = pageAddress("/values", query, last.page + 1);
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-center gap-x-5 gap-y-3 py-5 text-muted"
    >
      {first.page > 1 && (
        <LinkButton reloadDocument to={pageAddress("/values", query, first.page - 1)}>
          Previous items
        </LinkButton>
      )}
      <p>
        {from} to {to} of {last.count}
      </p>
      {to < last.count && (
        <LinkButton
          reloadDocument
          to={next}
          variant="primary"
          onClick={async (event) => {
            event.preventDefault();
            if (!(await onMore())) window.location.assign(next);
          }}
        >
          Show more
        </LinkButton>
      )}
    </nav>
  );
}
