import { useState } from "react";
import { Button } from "#app/ui/button.tsx";

/** Longer messages are folded, so that blank lines cannot push the rest off the screen. */
const MOST_LINES = 15;

/** Plain text only, no markup and no links (P13), in either writing direction. */
export function MessageText({ text }: { text: string }) {
  const [isUnfolded, setUnfolded] = useState(false);
  const lines = text.split("\n");
  if (isUnfolded || lines.length <= MOST_LINES) {
    return (
      <p dir="auto" className="chat-text">
        {text}
      </p>
    );
  }
  return (
    <>
      <p dir="auto" className="chat-text">
        {lines.slice(0, MOST_LINES).join("\n")}
      </p>
      <Button size="sm" variant="ghost" tabIndex={-1} onClick={() => setUnfolded(true)}>
        Show all {lines.length} lines
      </Button>
    </>
  );
}
