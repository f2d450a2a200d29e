import { useOptimistic, useTransition } from "react";
import { useRefresh } from "#app/features/live/use-read.ts";
import { askForAge, needsAge } from "#app/features/session/ask-for-age.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { useShowProfile } from "./use-show-profile.ts";

/** Saved at once. Shows what is stored after a failure, too, since only the answer may have been lost. */
export function ListedSwitch({ userId, listed }: { userId: string; listed: boolean }) {
  const site = useSiteConfig();
  const refresh = useRefresh();
  const showProfile = useShowProfile();
  const [isHidden, show] = useOptimistic(!listed);
  const [isSaving, startSaving] = useTransition();

  async function save(hide: boolean): Promise<void> {
    try {
      const client = await openSession(site);
      const saving = client
        .from("profiles")
        .update({ listed: !hide })
        .eq("id", userId)
        .select("listed")
        .single();
      const { error } = await saving;
      if (needsAge(error) && (await askForAge())) return await save(hide);
      if (error) throw error;
      showProfile({ listed: !hide });
      showToast({ title: hide ? "You are hidden from the community" : "The community can see you again" });
    } catch (error) {
      showFailure(error as Error);
      await refresh("profiles");
    }
  }

  function change(hide: boolean): void {
    // Two concurrent saves could be stored in the wrong order.
    if (isSaving) return;
    startSaving(async () => {
      show(hide);
      await save(hide);
    });
  }

  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3">
      <input
        type="checkbox"
        checked={isHidden}
        className="mt-0.5 size-5 shrink-0 accent-accent-text"
        onChange={(event) => change(event.target.checked)}
      />
      <span>
        <span className="font-semibold">Hide me from the community</span>
        <span className="block text-muted text-sm">
          This hides your card and your ratings, and nobody can rate you.
        </span>
      </span>
    </label>
  );
}
