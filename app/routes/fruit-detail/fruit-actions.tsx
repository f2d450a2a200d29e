import { Button } from "#app/ui/button.tsx";
import { Card, CardTitle } from "#app/ui/card.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";
import type { ShownMode } from "./shown-mode.ts";

/** The actions on the item. On a phone the first two stick above the bottom bar. */
export function QuickActions({ calculator }: Pick<ShownMode, "calculator">) {
  return (
    <Card as="section" pad={false} aria-labelledby="quick-actions" className="fruit-quick">
      <CardTitle id="quick-actions">Quick Actions</CardTitle>
      <div data-sticking="" className="fruit-actions">
        <LinkButton variant="primary" to={calculator}>
          Use in Calculator
        </LinkButton>
        <Button onClick={share} className="noscript:hidden">
          Share
        </Button>
      </div>
      <LinkButton to="/values" className="fruit-browse">
        Browse All Values
      </LinkButton>
    </Card>
  );
}

async function share() {
  const { sharePage } = await import("#app/features/sharing/share-page.ts");
  await sharePage("Anyone with the link can see this item's value.");
}
