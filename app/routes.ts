import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/home/route.tsx"),
  route("values", "routes/values/route.tsx"),
  // The search of an open list in a catalogue too long to be sent whole.
  route("values/found.json", "routes/values/found/route.ts"),
  route("fruits/:slug", "routes/fruit-detail/route.tsx"),
  route("calculator", "routes/calculator/route.tsx"),
  route("chat", "routes/chat/route.tsx"),
  route("community", "routes/community/route.tsx"),
  route("community/:username", "routes/trader/route.tsx"),
  route("history", "routes/history/route.tsx"),
  route("auth", "routes/auth/route.tsx"),
  route("account", "routes/account/route.tsx"),
  route("oauth/consent", "routes/consent/route.tsx"),
  route("admin", "routes/admin/route.tsx"),
  route("about", "routes/about/route.tsx"),
  route("contact", "routes/contact/route.tsx"),
  route("privacy", "routes/privacy/route.tsx"),
  route("terms", "routes/terms/route.tsx"),
  route("parents", "routes/parents/route.tsx"),
  route("parents/consent", "routes/parents/consent/route.tsx"),
  route("changes", "routes/changes/route.tsx"),
  route("feeds/changes.atom", "routes/changes/feeds/route.ts", { id: "changes.atom" }),
  route("feeds/changes.json", "routes/changes/feeds/route.ts", { id: "changes.json" }),
  route("method", "routes/method/route.tsx"),
  route("safety", "routes/safety/route.tsx"),
  route("appeal", "routes/appeal/route.tsx"),

  // What the offline worker shows in place of a page that it has not cached.
  route("offline", "routes/offline/route.tsx"),

  route("ads/frame/:placement", "routes/resources/ad-frame/route.ts"),
  route("share.png", "routes/resources/previews/site-route.ts"),
  route("share/fruits/:file", "routes/resources/previews/item-route.ts"),
  route("share/trade.png", "routes/resources/previews/trade-route.ts"),
  route("sitemap.xml", "routes/resources/sitemap/route.ts"),
  route("robots.txt", "routes/resources/robots/route.ts"),
  route("manifest.webmanifest", "routes/resources/manifest/route.ts"),

  // The design system on one page, for developers; not part of a build.
  ...(process.env.NODE_ENV === "development" ? [route("gallery", "routes/gallery/route.tsx")] : []),

  route("*", "routes/not-found/route.tsx"),
] satisfies RouteConfig;
