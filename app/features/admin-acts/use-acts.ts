import { useCallback, useState } from "react";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useAct } from "../admin/use-act.ts";
import { useAdminRead } from "../admin/use-admin-read.ts";
import { type ActFilter, type ActPage, readActs } from "./act-queries.ts";

/** The list from the newest act on, and older pages as they are asked for. */
export function useActs({ adminId, table }: ActFilter) {
  const first = useAdminRead(
    useCallback((client: SessionClient) => readActs(client, { adminId, table }), [adminId, table]),
  );
  const { isBusy, act } = useAct();
  const [older, setOlder] = useState<ActPage[]>([]);
  const pages = first.data ? [first.data, ...older] : [];
  const acts = pages.flatMap((page) => page.acts);

  async function readOlder() {
    await act(async (client) => {
      const page = await readActs(client, { adminId, table }, acts.at(-1)?.id);
      setOlder([...older, page]);
    });
  }

  return {
    first,
    acts,
    names: Object.assign({}, ...pages.map((page) => page.names)) as Record<string, string>,
    hasMore: pages.at(-1)?.hasMore ?? false,
    isBusy,
    readOlder,
  };
}
