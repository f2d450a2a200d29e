import { lazy, Suspense } from "react";
import { SignInGate } from "#app/features/session/sign-in-gate.tsx";
import { metaOf } from "#app/features/site/page-meta.ts";
import "./trade-history.css";

// For signed-in users only, so loaded when one is here.
const TradeList = lazy(() => import("./trade-list.tsx"));

export const meta = metaOf((site) => ({
  path: "/history",
  title: "Trade History",
  description: `The trades you saved at ${site.siteName}: what each side gave, what it came to, and what it would be worth today.`,
  keywords: ["trade history", "saved trades", "profit and loss", site.siteName],
}));

/** The user's saved trades (2.history.01–10); login required. */
export default function HistoryRoute() {
  return (
    <div className="page grid gap-6">
      <header className="prose">
        <h1>Trade History</h1>
        <p>What you saved from the calculator. Only you can see it.</p>
      </header>
      <SignInGate notice="Please log in to view your trade history">
        {() => (
          <Suspense>
            <TradeList />
          </Suspense>
        )}
      </SignInGate>
    </div>
  );
}
