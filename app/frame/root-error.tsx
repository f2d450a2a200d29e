import { lazy, Suspense } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { ErrorState } from "#app/ui/error-state.tsx";

const loadNotFoundPage = async () => ({
  default: (await import("#app/routes/not-found/not-found-page.tsx")).NotFoundPage,
});

/** Browsers load its code only when it is shown: a static import would add it to every page. */
const LateNotFoundPage = import.meta.env.SSR ? (await loadNotFoundPage()).default : lazy(loadNotFoundPage);

/** The page shown for a 404, a failed read (503) or an unexpected error. */
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
      {/* No route is left to set the title. */}
      {title && <title>{title}</title>}
      <ErrorState level={1} title={title}>
        {status !== 503 && "This page couldn’t be shown. Nothing is lost. Please try again."}
      </ErrorState>
    </div>
  );
}
