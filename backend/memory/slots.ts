/** Places for what lasts, such as connections: so many in all, and so many for each network. */
export type Slots = {
  /** Number of places that are taken. */
  open(): number;
  /** Why there is no place for a network; null if there is one. */
  findLack(network: string): "all" | "network" | null;
  /** Takes a place, and resolves with what gives it back. */
  take(network: string): () => void;
};

export function createSlots({ most, mostPerNetwork }: { most: number; mostPerNetwork: number }): Slots {
  const byNetwork = new Map<string, number>();
  let open = 0;
  const countOf = (network: string) => byNetwork.get(network) ?? 0;

  return {
    open: () => open,
    findLack(network) {
      if (open >= most) return "all";
      return countOf(network) >= mostPerNetwork ? "network" : null;
    },
    take(network) {
      open++;
      byNetwork.set(network, countOf(network) + 1);
      return () => {
        open--;
        const left = countOf(network) - 1;
        if (left > 0) byNetwork.set(network, left);
        else byNetwork.delete(network);
      };
    },
  };
}
