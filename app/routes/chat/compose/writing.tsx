import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { SessionClient } from "#app/features/session/session-client.ts";
import type { ChatItems } from "#app/routes/chat/quick/quick-reads.ts";
import { QuickTray } from "#app/routes/chat/quick/quick-tray.tsx";
import { TradeCard } from "#app/routes/chat/quick/trade-card.tsx";
import type { Addition } from "#app/routes/chat/room/chat-message.ts";
import type { RoomView } from "#app/routes/chat/room/room-store.ts";
import { Button } from "#app/ui/button.tsx";
import { formatTrade, parseTrade, type Trade } from "#domain/trades/trade-url.ts";
import { type Address, Addressed, NOBODY } from "./addressed.tsx";
import { Composer } from "./composer.tsx";
import { MOST_MENTIONS, useMentionable } from "./use-mention-keys.ts";

type WritingProps = {
  client: SessionClient;
  userId: string;
  view: RoomView;
  items: ChatItems | null;
  /** Why the user is limited to quick talk; null for users who may write freely. */
  notice: ReactNode;
  /** Reads the items once more, after they could not be read; otherwise null. */
  readItemsAgain: (() => Promise<unknown>) | null;
  /** Called when the catalogue is needed, before items are chosen. */
  onNeedItems(): void;
  draft: string;
  onDraft(draft: string): void;
  address: Address;
  onAddress(address: Address): void;
  onSend(message: string, more?: Addition): void;
};

/** The whole composer: text field, quick talk, trade, reply and mentions. */
export function Writing(props: WritingProps) {
  const { client, view, userId, items, notice, onNeedItems, address, onAddress, onSend } = props;
  const panel = useRef<HTMLDivElement>(null);
  const quickButton = useRef<HTMLButtonElement>(null);
  const [isQuick, setQuick] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const mentionable = useMentionable(client, view, userId, typed);
  const { trade, drop } = useTradeDraft();
  const showsTray = isQuick || notice !== null;
  const needsItems = showsTray || trade !== null;
  useEffect(() => {
    if (needsItems) onNeedItems();
  }, [needsItems, onNeedItems]);

  function say(message: string, quick?: Addition) {
    const more: Addition = {
      ...quick,
      ...(address.reply && { reply_to: address.reply.id }),
      ...(address.mentions.length > 0 && { mentions: address.mentions.map(({ id }) => id) }),
    };
    onSend(message, Object.keys(more).length > 0 ? more : undefined);
    onAddress(NOBODY);
  }

  return (
    // Takes the focus of what is removed: of a trade's draft, and of a field that quick talk replaces.
    <div ref={panel} tabIndex={-1} className="min-w-0 border-line border-t">
      {trade && (
        <TradeDraft
          key={trade}
          trade={trade}
          items={items}
          onSettled={(isSent) => {
            panel.current?.focus();
            if (isSent) say("Your trade", { trade });
            drop();
          }}
        />
      )}
      {notice}
      {showsTray && (
        <QuickTray
          items={items}
          readItemsAgain={props.readItemsAgain}
          onSend={({ text, ...quick }) => {
            // The tray closes, if it can.
            quickButton.current?.focus();
            setQuick(false);
            say(text, quick);
          }}
        />
      )}
      <Addressed address={address} onChange={onAddress} />
      {notice === null && (
        <Composer
          draft={props.draft}
          names={address.mentions.map(({ username }) => `@${username} `).join("")}
          onChange={props.onDraft}
          onSend={say}
          isQuick={isQuick}
          quickButton={quickButton}
          onQuick={() => setQuick(!isQuick)}
          mentionable={mentionable}
          onMentionTyped={setTyped}
          onMention={(person) => {
            const others = address.mentions.filter(({ id }) => id !== person.id);
            onAddress({ ...address, mentions: [...others, person].slice(-MOST_MENTIONS) });
          }}
        />
      )}
    </div>
  );
}

/** The trade that the calculator passed in the URL, without empty slots; null if there is none. */
function useTradeDraft(): { trade: string | null; drop(): void } {
  const [params, setParams] = useSearchParams();
  const { you, them } = parseTrade(params);
  const packed: Trade = { you: you.filter(Boolean), them: them.filter(Boolean) };
  return {
    trade: formatTrade(packed).slice(1) || null,
    drop: () => setParams({}, { replace: true, preventScrollReset: true }),
  };
}

type TradeDraftProps = { trade: string; items: ChatItems | null; onSettled(isSent: boolean): void };

/** Asks for confirmation before everyone sees it. It stays for a moment, in which a second tap does nothing. */
function TradeDraft({ trade, items, onSettled }: TradeDraftProps) {
  const isSettled = useRef(false);
  function settle(isSent: boolean) {
    if (!isSettled.current) onSettled(isSent);
    isSettled.current = true;
  }
  return (
    <section className="chat-trade-draft" aria-label="Your trade">
      <TradeCard trade={trade} isOwn items={items} text="Your trade" />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={() => settle(false)}>
          Not now
        </Button>
        <Button variant="primary" onClick={() => settle(true)}>
          Send this trade
        </Button>
      </div>
    </section>
  );
}
