import { useQueryClient } from "@tanstack/react-query";
import type { OwnProfile } from "#app/features/profile/profile-queries.ts";

/** Returns a function that shows what was saved of the user's own profile at once, before it is read again. */
export function useShowProfile(): (saved: Partial<OwnProfile>) => void {
  const queries = useQueryClient();
  return (saved) => queries.setQueryData<OwnProfile>(["profiles"], (now) => now && { ...now, ...saved });
}
