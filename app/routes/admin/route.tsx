import { lazy, Suspense } from "react";
import { GateWaiting, SignInGate } from "#app/features/session/sign-in-gate.tsx";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import type { Route } from "./+types/route.ts";
import { AdminGate } from "./admin-gate.tsx";
// With the page, since what comes later brings no stylesheet of its own.
import "./admin-items.css";

// What only admins see, loaded when one is here.
const AdminTabs = lazy(async () => ({ default: (await import("./admin-tabs.tsx")).AdminTabs }));

export function meta({ matches }: Route.MetaArgs) {
  const site = siteOf(matches);
  return pageMeta({
    site,
    path: "/admin",
    title: "Admin",
    description: `Where the experts of ${site.siteName} keep items, categories, fields and ads.`,
    keywords: ["admin", "items", "categories", "values", site.siteName],
  });
}

/** Where admins keep what the public pages show (2.admin, 4.gates.01). */
export default function AdminRoute() {
  return (
    <div className="page grid gap-5 py-6 lg:py-8">
      <h1 className="text-title">Admin</h1>
      <SignInGate>
        {({ user }) => (
          <AdminGate userId={user.id}>
            <Suspense fallback={<GateWaiting />}>
              <AdminTabs />
            </Suspense>
          </AdminGate>
        )}
      </SignInGate>
    </div>
  );
}
