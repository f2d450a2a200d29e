import type { Config } from "@react-router/dev/config";

export default {
  appDirectory: "app",
  ssr: true,
  // All routes in one small file that the browser keeps: no request of its own for each link that comes into view.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
