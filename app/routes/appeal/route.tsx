import { lazy, Suspense, useEffect, useState } from "react";
import { metaOf } from "#app/features/site/page-meta.ts";
import { LinkButton } from "#app/ui/link-button.tsx";

// Loaded only for visitors with a key.
const BanNotice = lazy(() => import("./ban-notice.tsx"));

export const meta = metaOf((site) => ({
  path: "/appeal",
  title: "Appeal",
  description: `Where somebody whose account at ${site.siteName} is suspended reads until when and why, and can say that it was wrong.`,
  keywords: ["appeal", "suspended account", site.siteName],
}));

/** The notice for suspended users, who have no session: the key in the address replaces it. */
export default function AppealRoute() {
  const key = useKey();
  return (
    <div className="page grid gap-6">
      <header className="prose">
        <h1>Appeal a Suspension</h1>
      </header>
      {key === "" && (
        <div className="grid max-w-prose justify-items-start gap-4">
          <p>
            Log in with your password first. If your account is suspended, that brings you back here, with the
            reason and a form for your appeal.
          </p>
          <LinkButton to="/auth" variant="primary">
            Log in
          </LinkButton>
        </div>
      )}
      {key && (
        <Suspense fallback={<p className="text-muted">One moment…</p>}>
          <BanNotice appealKey={key} />
        </Suspense>
      )}
    </div>
  );
}

/** Undefined until the browser has read its address; empty if there is no key. */
function useKey(): string | undefined {
  const [key, setKey] = useState<string>();
  useEffect(() => setKey(new URLSearchParams(location.search).get("key") ?? ""), []);
  return key;
}
