import { useEffect, useRef, useState } from "react";
import { CheckNotice } from "#app/features/items/check-notice.tsx";
import { LiveQueries } from "#app/features/live/live-queries.tsx";
import { siteNow } from "#app/features/site/site-clock.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { FormActions } from "#app/ui/form/form-actions.tsx";
import { useForm } from "#app/ui/form/use-form.ts";
import { LinkButton } from "#app/ui/link-button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { formatDateTime, medianDay, READERS_ZONE } from "#domain/text/dates.ts";
import { BalanceCard } from "./balance-card.tsx";
import type { SavedTrade } from "./saved-trade.ts";
import { TradeCard } from "./trade-card.tsx";
import { type Trades, useTrades } from "./use-trades.ts";

const LIST = "grid grid-cols-1 items-start gap-4 lg:grid-cols-2";

/** The user's trades, kept up to date. */
export default function TradeList() {
  return (
    <LiveQueries>
      <List />
    </LiveQueries>
  );
}

/** The list in all its states: loading, failed, empty, or partial with more to come. */
function List() {
  const history = useTrades();
  const { trades } = history;
  const wasFilled = useRef(false);
  wasFilled.current ||= Boolean(trades?.length);
  if (trades === undefined) return <Loading />;
  if (trades === null) return <ErrorState title="Your trade history can't be loaded right now" />;
  if (trades.length === 0 && !history.hasOlder) return <NoTrades wasFilled={wasFilled.current} />;
  return <Cards {...history} trades={trades} />;
}

function Cards({
  trades,
  totals,
  configuration,
  checked,
  hasOlder,
  isReadingOlder,
  readOlder,
  remove,
}: Trades & { trades: SavedTrade[] }) {
  const [now] = useState(siteNow);
  const [doomed, setDoomed] = useState<SavedTrade | null>(null);
  const list = useRef<HTMLUListElement>(null);

  async function confirm() {
    if (!doomed) return;
    await remove(doomed);
    setDoomed(null);
  }

  /** The dialog returns focus to the button that opened it, which may have been removed with its trade. */
  function close() {
    setDoomed(null);
    if (document.activeElement === document.body) list.current?.focus();
  }

  return (
    <>
      <BalanceCard totals={totals} />
      <p className="text-sm text-muted empty:hidden">
        <CheckNotice
          median={medianDay(checked)}
          count={checked.length}
          now={now}
          values="today’s values here"
        />
      </p>
      <ul ref={list} tabIndex={-1} aria-label="Saved trades" className={LIST}>
        {trades.map((trade) => (
          <TradeCard key={trade.id} trade={trade} configuration={configuration} onDelete={setDoomed} />
        ))}
      </ul>
      {hasOlder && (
        <Button
          className="justify-self-center"
          aria-disabled={isReadingOlder}
          onClick={() => !isReadingOlder && void readOlder()}
        >
          {isReadingOlder ? "Reading…" : "Show older trades"}
        </Button>
      )}
      <DeleteDialog trade={doomed} onConfirm={confirm} onClose={close} />
    </>
  );
}

/** When the last trade is deleted, the dialog and the button that opened it are removed too. */
function NoTrades({ wasFilled }: { wasFilled: boolean }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wasFilled && document.activeElement === document.body) card.current?.querySelector("a")?.focus();
  }, [wasFilled]);
  const action = (
    <LinkButton variant="primary" to="/calculator">
      Go to Calculator
    </LinkButton>
  );
  return (
    <div ref={card} className="card">
      <EmptyState title="No Trade History Yet" action={action}>
        Weigh a trade in the calculator and save it, and you’ll see here how it turned out.
      </EmptyState>
    </div>
  );
}

function Loading() {
  return (
    <div className={LIST}>
      <p role="status" className="sr-only">
        Loading your trades
      </p>
      {[1, 2, 3, 4].map((place) => (
        <Skeleton key={place} className="h-80" />
      ))}
    </div>
  );
}

type DeleteDialogProps = {
  /** The trade to delete; null while nothing is asked. */
  trade: SavedTrade | null;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** Confirms a deletion: it cannot be undone, since the trade's values are those of another day. */
function DeleteDialog({ trade, onConfirm, onClose }: DeleteDialogProps) {
  return (
    <Dialog open={trade !== null} onClose={onClose} title="Delete this trade?">
      {trade && <Question trade={trade} onConfirm={onConfirm} onClose={onClose} />}
    </Dialog>
  );
}

function Question({ trade, onConfirm, onClose }: DeleteDialogProps & { trade: SavedTrade }) {
  const { form, button } = useForm({ send: onConfirm });
  return (
    <Form {...form} className="grid gap-5">
      <p>
        <strong>{trade.partner || "Trade Calculation"}</strong> of{" "}
        {formatDateTime(trade.savedAt, READERS_ZONE)} will be gone for good. Its saved values can’t be brought
        back.
      </p>
      <FormActions
        button={button}
        label="Delete trade"
        variant="danger"
        onCancel={onClose}
        cancel="Keep it"
      />
    </Form>
  );
}
