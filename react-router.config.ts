import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // Sends all routes in one small cacheable file, instead of a request for each link that comes into view.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
