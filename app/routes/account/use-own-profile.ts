import { useEffect, useState } from "react";
import { type OwnProfile, readOwnProfile } from "#app/features/profile/profile-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";

/** The own profile; undefined while it is read, null when it cannot be. */
export function useOwnProfile(userId: string): OwnProfile | null | undefined {
  const site = useSiteConfig();
  const [profile, setProfile] = useState<OwnProfile | null>();
  useEffect(() => {
    let isCurrent = true;
    openSession(site)
      .then((client) => readOwnProfile(client, userId))
      .catch(() => null)
      .then((read) => isCurrent && setProfile(read));
    return () => {
      isCurrent = false;
    };
  }, [site, userId]);
  return profile;
}
