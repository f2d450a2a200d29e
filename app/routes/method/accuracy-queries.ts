import type { Client } from "#app/features/site/client.ts";

/** Over how many days values are held against what was paid. */
const PERIODS = [30, 90] as const;

export type MeasuredCategory = { category: string; trades: number; median_error: number | null };
/** What a period shows by category; null where it could not be read. */
export type MeasuredPeriod = { days: number; categories: MeasuredCategory[] | null };

/** How near published values were to the confirmed trades that followed. */
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
