import { askForAge } from "#app/features/session/ask-for-age.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import type { OwnStanding } from "./use-standing.ts";

/** Why there is no text field, and what can be done about it; renders nothing for those who may write. */
export function VoiceNotice({ own }: { own: OwnStanding }) {
  const { asksParents = false } = useSiteConfig();
  const words = describe(own, asksParents);
  if (!words) return null;
  return (
    <div className="voice-notice">
      <p>{words}</p>
      {own.standing === "child" && asksParents && (
        <Button size="sm" onClick={() => void askForAge()}>
          {own.parent === "asked" ? "What happens now?" : "Ask a parent"}
        </Button>
      )}
    </div>
  );
}

function describe({ standing, parent }: OwnStanding, asksParents: boolean): string | null {
  if (standing === "strikes")
    return "You can use quick talk for now, because of what moderators had to remove.";
  if (standing === "new") return "You can use quick talk. New accounts can write freely a little later.";
  if (standing !== "child") return null;
  if (!asksParents) return "You can use quick talk.";
  if (parent === "asked") return "You can use quick talk. We asked your parent if you may write messages.";
  if (parent === "refused") return "You can use quick talk. Your parent said no to more for now.";
  if (parent === "withdrawn")
    return "You can use quick talk. Your parent took back the permission to write messages.";
  return "You can use quick talk. A parent can allow you to write messages.";
}
