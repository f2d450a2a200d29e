import { lazy, Suspense } from "react";
import { useLocation } from "react-router";
import { GateWaiting, SignInGate } from "#app/features/session/sign-in-gate.tsx";
import { metaOf } from "#app/features/site/page-meta.ts";
import "./chat.css";
import { SafetyRules } from "./safety-rules.tsx";

// Only signed-in users see these, so they are loaded on demand.
const ChatRoom = lazy(() => import("./chat-room.tsx"));

export const meta = metaOf((site) => ({
  path: "/chat",
  title: "Live Chat",
  description: `Talk live with other ${site.gameName} traders: find offers, ask what a fruit is worth, stay safe.`,
  keywords: ["chat", "live chat", "trading chat", site.gameName, site.siteName],
}));

/** The chat room for traders; login required. */
export default function ChatRoute() {
  const { pathname, search } = useLocation();
  return (
    <div className="page chat-page">
      <h1>Live Chat</h1>
      <SignInGate
        notice="Please log in to use the chat"
        // A trade being shared to the chat.
        returnTo={search && pathname + search}
        waiting={<RoomWaiting />}
      >
        {({ user }) => (
          <Suspense fallback={<RoomWaiting />}>
            <ChatRoom userId={user.id} />
          </Suspense>
        )}
      </SignInGate>
    </div>
  );
}

/** The room's layout and rules, readable before it is known whether the user is signed in. */
function RoomWaiting() {
  return (
    <GateWaiting>
      <div className="card chat-room">
        <div className="chat-head" />
        <SafetyRules />
      </div>
    </GateWaiting>
  );
}
