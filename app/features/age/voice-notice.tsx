import { askForAge } from "#app/features/session/ask-for-age.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import type { OwnStanding } from "./standing-queries.ts";

/** Why there is no field to write in, and what can be done about it; nothing for who may write. */
export function VoiceNotice({ own }: { own: OwnStanding }) {
  const { asksParents } = useSiteConfig();
  if (own.standing === "strikes")
    return (
      <p className="voice-notice">
        You can use quick talk for now, because of what moderators had to remove.
      </p>
    );
  if (own.standing === "new")
    return (
      <p className="voice-notice">You can use quick talk. New accounts can write freely a little later.</p>
    );
  if (own.standing !== "child") return null;
  if (!asksParents) return <p className="voice-notice">You can use quick talk.</p>;
  return (
    <div className="voice-notice">
      <p>
        {own.parent === "asked"
          ? "You can use quick talk. We asked your parent if you may write messages."
          : "You can use quick talk. A parent can allow you to write messages."}
      </p>
      <Button size="sm" onClick={() => void askForAge()}>
        {own.parent === "asked" ? "What happens now?" : "Ask a parent"}
      </Button>
    </div>
  );
}
