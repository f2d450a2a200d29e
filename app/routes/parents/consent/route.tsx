import { lazy, Suspense, useEffect, useState } from "react";
import { Link } from "react-router";
import { GateWaiting } from "#app/features/session/sign-in-gate.tsx";
import { metaOf } from "#app/features/site/page-meta.ts";

// The content depends on the link's key alone, so it is loaded once that is read.
const LinkedChild = lazy(() => import("./linked-child.tsx"));
const RenewForm = lazy(() => import("./renew-form.tsx"));

export const meta = metaOf(() => ({
  path: "/parents/consent",
  title: "A Parent’s Permission",
  description: "Where a parent reads what is kept about a child, and allows, refuses, exports or deletes.",
  keywords: ["parents", "permission"],
}));

/** Where the mailed link leads. Its key is in the fragment, which browsers send to nobody. */
export default function ConsentRoute() {
  const key = useLinkKey();
  return (
    <div className="page grid max-w-3xl gap-6">
      <h1>A parent’s permission</h1>
      <Suspense fallback={<GateWaiting />}>
        {key === null ? (
          <GateWaiting />
        ) : key === "" ? (
          <RenewForm />
        ) : (
          <LinkedChild key={key} linkKey={key} />
        )}
      </Suspense>
      <p>
        What we keep, and how the chat is kept safe:{" "}
        <Link to="/parents" className="link">
          For Parents
        </Link>
        .
      </p>
    </div>
  );
}

/** Null until hydration: the server never sees it. */
function useLinkKey(): string | null {
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => {
    const read = () => setKey(new URLSearchParams(window.location.hash.slice(1)).get("key") ?? "");
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  return key;
}
