import { Skeleton } from "#app/ui/skeleton.tsx";

/**
 * The loading state of a detail page (2.detail.02): a skeleton over the previous page, which keeps its scroll position
 * for Back. Appears after a short delay, so that it does not flash when the response is quick.
 */
export function LoadingItem() {
  return (
    <>
      <p role="status" className="sr-only">
        Loading item
      </p>
      <ItemOutline />
    </>
  );
}

function ItemOutline() {
  return (
    <div
      className="fixed inset-0 z-20 overflow-hidden bg-ground pt-24 animate-[rise_180ms_150ms_both]"
      data-loading=""
    >
      <div className="page grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <p className="col-span-full text-lg font-semibold">Loading…</p>
        <div className="grid gap-6">
          <Skeleton className="h-56" />
          <Skeleton className="h-32" />
          <Skeleton className="h-72" />
        </div>
        <Skeleton className="hidden h-96 lg:block" />
      </div>
    </div>
  );
}
