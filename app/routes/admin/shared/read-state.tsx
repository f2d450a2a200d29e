import type { ReactNode } from "react";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

type ReadStateProps<T> = {
  read: { data: T | undefined; isError: boolean; refetch(): unknown };
  /** What is read, such as `Categories`. */
  what: string;
  children(data: T): ReactNode;
};

/** Shows the data, a skeleton until it is loaded, or a failure with a retry that keeps the rest of the page. */
export function ReadState<T>({ read: { data, isError, refetch }, what, children }: ReadStateProps<T>) {
  if (data !== undefined) return children(data);
  if (!isError) return <Skeleton className="h-64" />;
  const retry = (
    <Button variant="primary" onClick={() => void refetch()}>
      Try again
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState title={`${what} can't be loaded right now`} action={retry}>
        The database isn’t responding, or you may not see this any more. Nothing is lost.
      </EmptyState>
    </div>
  );
}
