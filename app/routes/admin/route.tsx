import { lazy, Suspense } from "react";
import { GateWaiting, SignInGate } from "#app/features/session/sign-in-gate.tsx";
import { metaOf } from "#app/features/site/page-meta.ts";
import "./admin.css";

// Loaded once someone is signed in.
const AdminArea = lazy(() => import("./admin-area.tsx"));

export const meta = metaOf((site) => ({
  path: "/admin",
  title: "Admin",
  description: `Where the experts of ${site.siteName} keep items, categories, fields and ads.`,
  keywords: ["admin", "items", "categories", "values", site.siteName],
}));

/** Where admins manage what the public pages show (2.admin, 4.gates.01). */
export default function AdminRoute() {
  return (
    <div className="page grid gap-5">
      <h1 className="text-title">Admin</h1>
      <SignInGate>
        {({ user }) => (
          <Suspense fallback={<GateWaiting />}>
            <AdminArea userId={user.id} />
          </Suspense>
        )}
      </SignInGate>
    </div>
  );
}
