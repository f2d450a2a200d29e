REVOKE ALL ("id") ON TABLE "public"."trade_history" FROM "authenticated";

GRANT INSERT ("id") ON TABLE "public"."trade_history" TO "authenticated";
