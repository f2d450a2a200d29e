import { lazy, Suspense } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { ErrorState } from "#app/ui/error-state.tsx";

const loadNotFoundPage = async () => ({
  default: (await import("#app/routes/not-found/not-found-page.tsx")).NotFoundPage,
});

/**
 * The server writes it at once; the browser loads its code only where it is shown. An import at the head would bring it
 * to every page.
 */
const LateNotFoundPage = import.meta.env.SSR ? (await loadNotFoundPage()).default : lazy(loadNotFoundPage);

/** What stands in place of a page that could not be shown: 404, a read that failed (503), or anything unexpected. */
export function RootError() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (status === 404) {
    return (
      <Suspense>
        <LateNotFoundPage />
      </Suspense>
    );
  }
  const title = status === 503 ? undefined : "Something ran aground";
  return (
    <div className="page py-16">
      {/* No route is left to tell the head what this page is called. */}
      {title && <title>{title}</title>}
      <ErrorState level={1} title={title}>
        {status !== 503 &&
          "This page couldn’t be shown, and that’s on us. Nothing is lost. Please try again."}
      </ErrorState>
    </div>
  );
}
