import { EmptyState } from "#app/ui/empty-state.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";

/** No item has this slug: an ordinary answer, with status 404. */
export function FruitNotFound() {
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
