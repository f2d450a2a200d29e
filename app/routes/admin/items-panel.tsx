import { useAdminItems } from "#app/features/admin-items/use-admin-items.ts";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

/** The catalogue as its experts see it. */
export function ItemsPanel() {
  const items = useAdminItems();
  if (items === undefined) return <Skeleton className="h-96" />;
  if (items === null) return <ErrorState title="Items can't be loaded right now" />;
  return (
    <Card as="section" aria-labelledby="items">
      <CardTitle id="items">Items</CardTitle>
      <ul className="grid gap-1 sm:grid-cols-2 lg:grid-cols-4">
        {items.map(({ id, name, current_value }) => (
          <li key={id} className="flex justify-between gap-4">
            {name} <span className="figures">{current_value}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
