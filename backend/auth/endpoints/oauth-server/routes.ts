import { mapRoutes, type Routes } from "#backend/http/router.ts";
import { type Endpoint, onlyWhere } from "../../requests/call.ts";
import { type AdminCall, forAdmins } from "../../requests/require-admin.ts";
import { requireOAuthServer } from "../../service/features.ts";
import {
  changeApplication,
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  regenerateSecret,
  registerApplication,
} from "./applications.ts";
import { authorize } from "./authorize.ts";
import { answerAuthorization, describeAuthorization } from "./consent.ts";
import { describeServer } from "./describe-server.ts";
import { listGrants, revokeGrant } from "./grants.ts";
import { issueApplicationToken } from "./token.ts";
import { describePerson } from "./user-info.ts";

const adminRoutes: Routes<Endpoint<AdminCall>> = {
  "GET /admin/oauth/clients": listApplications,
  "POST /admin/oauth/clients": createApplication,
  "GET /admin/oauth/clients/{id}": getApplication,
  "PUT /admin/oauth/clients/{id}": changeApplication,
  "DELETE /admin/oauth/clients/{id}": deleteApplication,
  "POST /admin/oauth/clients/{id}/regenerate_secret": regenerateSecret,
};

const routes: Routes<Endpoint> = {
  ...forAdmins(adminRoutes),
  "GET /.well-known/oauth-authorization-server": describeServer,

  "POST /oauth/clients/register": registerApplication,

  "GET /oauth/authorize": authorize,
  "GET /oauth/authorizations/{id}": describeAuthorization,
  "POST /oauth/authorizations/{id}/consent": answerAuthorization,
  "GET /user/oauth/grants": listGrants,
  "DELETE /user/oauth/grants": revokeGrant,

  "POST /oauth/token": issueApplicationToken,
  "GET /oauth/userinfo": describePerson,
  "POST /oauth/userinfo": describePerson,
};

/** All return 404 unless the operator has enabled the OAuth server (GOTRUE_OAUTH_SERVER_ENABLED). */
export const oauthServerRoutes: Routes<Endpoint> = mapRoutes(routes, onlyWhere(requireOAuthServer));
