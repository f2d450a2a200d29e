import { useEffect, useState } from "react";
import { data } from "react-router";
import { listCategories } from "#app/features/categories/category-queries.ts";
import { type CalculatorItem, listCalculatorItems } from "#app/features/items/item-queries.ts";
import { useLiveCatalogue } from "#app/features/items/use-live-catalogue.ts";
import { type ItemRanges, listValueRanges } from "#app/features/items/value-range-queries.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { revalidateByPath } from "#app/features/site/revalidate-by-path.ts";
import { readAtContext, siteContext, supabaseContext } from "#app/server-context.ts";
import { ErrorState } from "#app/ui/error-state.tsx";
import { showError } from "#app/ui/toast/toast-store.ts";
import { formatMonthDay } from "#domain/text/dates.ts";
import type { Route } from "./+types/route.ts";
import { Calculator } from "./calculator.tsx";
import { calculatorHead, tradeMeta } from "./trade-meta.ts";

const FAILED = { items: null, categories: [], configuration: null, readAt: null, head: null };

export async function loader({ context }: Route.LoaderArgs) {
  const supabase = context.get(supabaseContext);
  const [read, categories, configuration, ranges] = await Promise.all([
    listCalculatorItems(supabase),
    listCategories(supabase),
    findPageConfiguration(supabase, "calculator"),
    listValueRanges(supabase),
  ]);
  const items = read?.map((item) => ({ ...item, ...writeRanges(ranges.get(item.id)) }));
  const head = calculatorHead(context.get(siteContext));
  if (items) {
    const shown = categories.map(({ id, name, icon }) => ({ id, name, icon }));
    return data({ items, categories: shown, configuration, readAt: context.get(readAtContext), head });
  }
  return data({ ...FAILED, head }, { status: 503, headers: { "Cache-Control": "no-store" } });
}

function writeRanges(ranges: ItemRanges = {}): Pick<CalculatorItem, "ranges" | "unsettled"> {
  const each = Object.entries(ranges);
  const update = each.find(([, { volatile_until }]) => volatile_until)?.[1];
  return {
    ranges: Object.fromEntries(each.map(([mode, { low, high }]) => [mode, [low, high]])),
    ...(update?.volatile_until && {
      unsettled: ` ${update.game_update} changed the game: values may move until ${formatMonthDay(update.volatile_until)}.`,
    }),
  };
}

/** If the loader cannot be reached, an empty calculator with its notice is shown (8.error.02). */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return serverLoader().catch(() => FAILED);
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

/** Another trade in the address needs no other items. */
export const shouldRevalidate = revalidateByPath;

export function meta({ matches, location, loaderData }: Route.MetaArgs) {
  return pageMeta(tradeMeta(siteOf(matches), location.search, loaderData));
}

export default function CalculatorRoute({ loaderData }: Route.ComponentProps) {
  useLiveCatalogue(loaderData.readAt);
  const { items, categories, configuration } = useLastRead(loaderData);
  useEffect(() => {
    if (!items) showError("Failed to fetch items");
  }, [items]);
  return (
    <div className="page calculator-page">
      <h1>Trade Calculator</h1>
      {!items && (
        <div className="mb-6">
          <ErrorState title="Items can't be loaded right now" />
        </div>
      )}
      <Calculator
        items={items ?? NOTHING}
        categories={categories}
        loaded={items !== null}
        configuration={configuration}
      />
      <div className="prose mt-6 text-muted">
        <p>Fill both sides and see who gives more. The link remembers your trade.</p>
        <noscript>
          <p>Choosing items needs JavaScript. A trade that somebody sent you as a link shows without it.</p>
        </noscript>
      </div>
    </div>
  );
}

const NOTHING: CalculatorItem[] = [];

/** Keeps the last loaded data if a later read fails, so that a trade in progress is not emptied. */
function useLastRead(data: Route.ComponentProps["loaderData"]): Route.ComponentProps["loaderData"] {
  const [last, setLast] = useState(data);
  if (!data.items) return last;
  if (data !== last) setLast(data);
  return data;
}
