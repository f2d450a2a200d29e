import type { Client } from "#app/features/site/client.ts";

/** The periods, in days, over which values are compared with prices paid. */
const PERIODS = [30, 90] as const;

export type MeasuredCategory = { category: string; trades: number; median_error: number | null };
/** A period's accuracy by category; null if it could not be read. */
export type MeasuredPeriod = { days: number; categories: MeasuredCategory[] | null };

/** How close published values were to the confirmed trades that followed. */
export async function readAccuracy(client: Client): Promise<MeasuredPeriod[]> {
  return Promise.all(
    PERIODS.map(async (days) => {
      const { data, error } = await client
        .rpc("measure_accuracy", { days })
        .select("category, trades, median_error");
      return { days, categories: error ? null : data };
    }),
  );
}
