import { useFullSession } from "#app/features/session/use-session.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";

type RateButtonProps<T> = { trader: T; onRate: (trader: T) => void };

/** 'Rate Trader', shown to signed-in users on other people's cards only (2.community.06, .07). */
export function RateButton<T extends { id: string; username: string }>({
  trader,
  onRate,
}: RateButtonProps<T>) {
  const session = useFullSession();
  if (!session) return null;
  if (session.user.id === trader.id) return <Badge tone="accent">This is you</Badge>;
  return (
    <Button size="sm" aria-haspopup="dialog" onClick={() => onRate(trader)}>
      Rate Trader<span className="sr-only"> {trader.username}</span>
    </Button>
  );
}
