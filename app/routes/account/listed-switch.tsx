import { startTransition, useOptimistic, useState } from "react";
import { askForAge, needsAge } from "#app/features/session/ask-for-age.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { showFailure } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";

/** Saved at once; reverts if it could not be saved. */
export function ListedSwitch({ userId, listed }: { userId: string; listed: boolean }) {
  const site = useSiteConfig();
  const [saved, setSaved] = useState(!listed);
  const [isHidden, show] = useOptimistic(saved);
  const isSaving = isHidden !== saved;

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
      startTransition(() => setSaved(hide));
      showToast({ title: hide ? "You are hidden from the community" : "The community can see you again" });
    } catch (error) {
      showFailure(error as Error);
    }
  }

  function change(hide: boolean): void {
    // Two concurrent saves could be stored in the wrong order.
    if (isSaving) return;
    startTransition(async () => {
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
