import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { EmptyState } from "./empty-state.tsx";
import { LinkButton } from "./link-button.tsx";

export type ErrorStateProps = { title?: string; children?: ReactNode; level?: 1 | 2 };

/**
 * A failed read, stated as such (P30). Its retry loads the same address again, also without JavaScript: `<ErrorState
 * />` reads "Values can't be loaded right now".
 */
export function ErrorState({ title = "Values can't be loaded right now", children, level }: ErrorStateProps) {
  const { pathname, search } = useLocation();
  const retry = (
    <LinkButton variant="primary" reloadDocument to={pathname + search}>
      Try again
    </LinkButton>
  );
  return (
    <EmptyState title={title} level={level} action={retry}>
      {children ?? "The site isn’t answering. Nothing is lost. Try again in a moment."}
    </EmptyState>
  );
}
