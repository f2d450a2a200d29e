import type { FormEvent, ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { useLiveCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { revalidateByPath } from "#app/features/site/revalidate-by-path.ts";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import { modeOfQuery } from "#domain/values/view-mode.ts";
import "./fruit-detail.css";
import "./history/history.css";
import type { Route } from "./+types/route.ts";
import { fruitMeta } from "./fruit-meta.ts";
import { FruitPage } from "./fruit-page.tsx";
import { loadFruit } from "./load-fruit.ts";

export function loader({ context, params, request }: Route.LoaderArgs) {
  return loadFruit(context, { slug: params.slug, search: new URL(request.url).search });
}

/** The other mode needs no other data: a copy that is shown offline has both. */
export const shouldRevalidate = revalidateByPath;

export function meta({ matches, params, loaderData }: Route.MetaArgs) {
  return pageMeta(fruitMeta(siteOf(matches), params.slug, loaderData ?? null));
}

/** An item's page (2.detail.01–24): found, not found, or currently unreadable. */
export default function FruitDetail({ loaderData, params }: Route.ComponentProps) {
  useLiveCatalogue(loaderData.unavailable ? null : loaderData.readAt);
  const { search } = useLocation();
  if (loaderData.unavailable) return <ErrorBoundary />;
  const { found, readAt } = loaderData;
  if (!found) {
    return (
      <FruitFrame>
        <FruitNotFound />
      </FruitFrame>
    );
  }
  return (
    <FruitFrame>
      <FruitPage key={params.slug + modeOfQuery(search)} {...found} readAt={readAt} />
    </FruitFrame>
  );
}

/** Shows the page's frame even if its data did not arrive, for example offline. */
export function ErrorBoundary() {
  return (
    <FruitFrame>
      <div className="card">
        <ErrorState level={1} />
      </div>
    </FruitFrame>
  );
}

function FruitFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page">
      <BackButton />
      {children}
    </div>
  );
}

/**
 * Whether the previous history entry is a page of ours, also if it was left by typing an address. Where the browser
 * cannot tell, the router's index does, for pages since the last full load; 0 is the page of that load.
 */
function hasEarlierPage(): boolean {
  const { navigation, history } = window as typeof window & { navigation?: { canGoBack: boolean } };
  return navigation?.canGoBack ?? history.state?.idx > 0;
}

/** One step back in history, or to /values if that is not ours (P42). A form, so that it works without scripts. */
function BackButton() {
  const navigate = useNavigate();
  const goBack = (event: FormEvent) => {
    event.preventDefault();
    if (hasEarlierPage()) navigate(-1);
    else navigate("/values");
  };
  return (
    <form action="/values" onSubmit={goBack} className="fruit-back">
      <Button type="submit" variant="ghost" size="sm">
        <span aria-hidden="true">←</span> Back
      </Button>
    </form>
  );
}

/** No item has this slug: an ordinary page, with status 404. */
function FruitNotFound() {
  const action = (
    <LinkButton variant="primary" to="/values">
      Browse All Values
    </LinkButton>
  );
  return (
    <div className="card">
      <EmptyState level={1} title="Fruit Not Found" action={action}>
        The fruit you're looking for doesn't exist or has been removed.
      </EmptyState>
    </div>
  );
}
