import { mapRoutes, type Routes } from "#backend/http/router.ts";
import { type Endpoint, onlyWhere } from "../requests/call.ts";
import { withCaptcha } from "../requests/captcha.ts";
import { type AdminCall, forAdmins } from "../requests/require-admin.ts";
import {
  requireCustomProviders,
  requireManualLinking,
  requirePasskeys,
  requireRecoveryCodes,
} from "../service/features.ts";
import { describeHealth, describeSettings, listKeys } from "./about-service.ts";
import { listAuditEntries } from "./admin/audit.ts";
import {
  changeProvider,
  createProvider,
  deleteProvider,
  getProvider,
  listProviders,
} from "./admin/custom-providers.ts";
import { generateLink } from "./admin/generate-link.ts";
import {
  changeSsoProvider,
  createSsoProvider,
  deleteSsoProvider,
  getSsoProvider,
  listSsoProviders,
} from "./admin/sso-providers.ts";
import { createAccount } from "./admin/users/create-user.ts";
import { changeFactor, deleteFactor, listFactors } from "./admin/users/factors.ts";
import { listUsers } from "./admin/users/list-users.ts";
import { changeAccount, deleteAccount, getAccount } from "./admin/users/manage-user.ts";
import { deleteAccountPasskey, listAccountPasskeys } from "./admin/users/passkeys.ts";
import { sendOtp } from "./codes/otp.ts";
import { recover } from "./codes/recover.ts";
import { resend } from "./codes/resend.ts";
import { challengeFactor } from "./factors/challenge.ts";
import { enrollFactor } from "./factors/enroll.ts";
import { countRecoveryCodes, makeRecoveryCodes, useRecoveryCode } from "./factors/recovery-codes.ts";
import { unenrollFactor } from "./factors/unenroll.ts";
import { verifyFactor } from "./factors/verify.ts";
import { invite } from "./invite.ts";
import { logOut } from "./logout.ts";
import { describeServer } from "./oauth-server/describe-server.ts";
import { oauthServerRoutes } from "./oauth-server/routes.ts";
import { beginPasskeySignIn, finishPasskeySignIn } from "./passkeys/authentication.ts";
import { listOwnPasskeys, removePasskey, renamePasskey } from "./passkeys/passkeys.ts";
import { beginPasskey, finishPasskey } from "./passkeys/registration.ts";
import { authorize } from "./providers/authorize.ts";
import { callback } from "./providers/callback.ts";
import { reauthenticate } from "./reauthenticate.ts";
import { signUp } from "./signup.ts";
import { consumeAssertion } from "./sso/acs.ts";
import { describeServiceProvider } from "./sso/metadata.ts";
import { beginSingleSignOn } from "./sso/sso.ts";
import { issueToken } from "./token/token.ts";
import { linkIdentity, unlinkIdentity } from "./user/identities.ts";
import { getUser, updateUser } from "./user/update-user.ts";
import { verify } from "./verify/verify.ts";
import { verifyLink } from "./verify/verify-link.ts";

const linkingRoutes: Routes<Endpoint> = {
  "GET /user/identities/authorize": linkIdentity,
  "DELETE /user/identities/{id}": unlinkIdentity,
};

const passkeyRoutes: Routes<Endpoint> = {
  "POST /passkeys/registration/options": beginPasskey,
  "POST /passkeys/registration/verify": finishPasskey,
  "POST /passkeys/authentication/options": withCaptcha(beginPasskeySignIn),
  "POST /passkeys/authentication/verify": finishPasskeySignIn,
  "GET /passkeys": listOwnPasskeys,
  "PATCH /passkeys/{passkey}": renamePasskey,
  "DELETE /passkeys/{passkey}": removePasskey,
};

const passkeyAdminRoutes: Routes<Endpoint<AdminCall>> = {
  "GET /admin/users/{id}/passkeys": listAccountPasskeys,
  "DELETE /admin/users/{id}/passkeys/{passkey}": deleteAccountPasskey,
};

const customProviderRoutes: Routes<Endpoint<AdminCall>> = {
  "GET /admin/custom-providers": listProviders,
  "POST /admin/custom-providers": createProvider,
  "GET /admin/custom-providers/{identifier}": getProvider,
  "PUT /admin/custom-providers/{identifier}": changeProvider,
  "DELETE /admin/custom-providers/{identifier}": deleteProvider,
};

/** For servers using the secret key. */
const adminRoutes: Routes<Endpoint<AdminCall>> = {
  "GET /admin/users": listUsers,
  "POST /admin/users": createAccount,
  "GET /admin/users/{id}": getAccount,
  "PUT /admin/users/{id}": changeAccount,
  "DELETE /admin/users/{id}": deleteAccount,
  "GET /admin/users/{id}/factors": listFactors,
  "PUT /admin/users/{id}/factors/{factor}": changeFactor,
  "DELETE /admin/users/{id}/factors/{factor}": deleteFactor,
  "POST /admin/generate_link": generateLink,
  "POST /invite": invite,
  "GET /admin/audit": listAuditEntries,
  "GET /admin/sso/providers": listSsoProviders,
  "POST /admin/sso/providers": createSsoProvider,
  "GET /admin/sso/providers/{id}": getSsoProvider,
  "PUT /admin/sso/providers/{id}": changeSsoProvider,
  "DELETE /admin/sso/providers/{id}": deleteSsoProvider,
  ...mapRoutes(passkeyAdminRoutes, onlyWhere(requirePasskeys)),
  ...mapRoutes(customProviderRoutes, onlyWhere(requireCustomProviders)),
};

const recoveryCodeRoutes: Routes<Endpoint> = {
  "GET /factors/recovery-codes": countRecoveryCodes,
  "POST /factors/recovery-codes": makeRecoveryCodes,
  "POST /factors/recovery-codes/verify": useRecoveryCode,
};

/** All routes of the service; other paths return 404. */
export const routes: Routes<Endpoint> = {
  "GET /health": describeHealth,
  "GET /settings": describeSettings,
  "GET /.well-known/jwks.json": listKeys,
  // Also without the OAuth server: API gateways look here for the keys that verify access tokens.
  "GET /.well-known/openid-configuration": describeServer,

  "POST /signup": withCaptcha(signUp),
  "POST /token": issueToken,
  "GET /user": getUser,
  "PUT /user": updateUser,
  "POST /logout": logOut,

  "POST /otp": withCaptcha(sendOtp),
  "POST /magiclink": withCaptcha(sendOtp),
  "POST /recover": withCaptcha(recover),
  "POST /resend": withCaptcha(resend),
  "POST /verify": verify,
  "GET /verify": verifyLink,
  "GET /reauthenticate": reauthenticate,

  "POST /factors": enrollFactor,
  ...mapRoutes(recoveryCodeRoutes, onlyWhere(requireRecoveryCodes)),
  "POST /factors/{id}/challenge": challengeFactor,
  "POST /factors/{id}/verify": verifyFactor,
  "DELETE /factors/{id}": unenrollFactor,

  "GET /authorize": authorize,
  "GET /callback": callback,
  "POST /callback": callback,
  "POST /sso": withCaptcha(beginSingleSignOn),
  "GET /sso/saml/metadata": describeServiceProvider,
  "POST /sso/saml/acs": consumeAssertion,
  ...mapRoutes(linkingRoutes, onlyWhere(requireManualLinking)),
  ...mapRoutes(passkeyRoutes, onlyWhere(requirePasskeys)),
  ...forAdmins(adminRoutes),
  ...oauthServerRoutes,
};
