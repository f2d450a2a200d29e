import { Link } from "react-router";
import { LinkButton } from "#app/ui/link-button.tsx";

type PagerProps = {
  /** What is paged, for screen readers, for example `Pages of traders`. */
  label: string;
  page: number;
  pages: number;
  /** Returns the address of a page. */
  to: (page: number) => string;
};

/** Links to the previous, next, first and last page; renders nothing for a single page. */
export function Pager({ label, page, pages, to }: PagerProps) {
  if (pages < 2) return null;
  return (
    <nav aria-label={label} className="pager">
      {page > 1 ? (
        <LinkButton to={to(page - 1)} rel="prev" prefetch="intent">
          ← Previous
        </LinkButton>
      ) : (
        <span />
      )}
      <p className="figures">
        {page > 2 && (
          <Link to={to(1)} className="link">
            First
          </Link>
        )}
        <span>
          Page {page.toLocaleString("en-US")} of {pages.toLocaleString("en-US")}
        </span>
        {page < pages - 1 && (
          <Link to={to(pages)} className="link">
            Last
          </Link>
        )}
      </p>
      {page < pages ? (
        <LinkButton to={to(page + 1)} rel="next" prefetch="intent">
          Next →
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}
