import { createAccount } from "./admin/create-user.ts";
import { generateLink } from "./admin/generate-link.ts";
import { invite } from "./admin/invite.ts";
import { listUsers } from "./admin/list-users.ts";
import { changeFactor, deleteFactor, listFactors } from "./admin/manage-factors.ts";
import { deleteAccountPasskey, listAccountPasskeys } from "./admin/manage-passkeys.ts";
import { changeAccount, deleteAccount, getAccount } from "./admin/manage-user.ts";
import { listAuditEntries } from "./audit/list-entries.ts";
import { describeHealth, describeSettings, listKeys } from "./endpoints/about-service.ts";
import { getUser } from "./endpoints/get-user.ts";
import { logOut } from "./endpoints/log-out.ts";
import { reauthenticate } from "./endpoints/reauthenticate.ts";
import { recover, resend, sendOtp } from "./endpoints/send-code.ts";
import { signUp } from "./endpoints/sign-up.ts";
import { switchedOff } from "./endpoints/switched-off.ts";
import { issueToken } from "./endpoints/token.ts";
import { updateUser } from "./endpoints/update-user.ts";
import { verify } from "./endpoints/verify.ts";
import { verifyLink } from "./endpoints/verify-link.ts";
import { challengeFactor } from "./factors/challenge.ts";
import { enrollFactor } from "./factors/enroll.ts";
import { unenrollFactor } from "./factors/unenroll.ts";
import { verifyFactor } from "./factors/verify-factor.ts";
import { linkIdentity, unlinkIdentity } from "./identities/unlink.ts";
import { listOwnPasskeys, removePasskey, renamePasskey } from "./passkeys/manage-passkeys.ts";
import { beginPasskey, finishPasskey } from "./passkeys/register-passkey.ts";
import { beginPasskeySignIn, finishPasskeySignIn } from "./passkeys/sign-in-with-passkey.ts";
import { forHumans } from "./requests/require-human.ts";
import type { Routes } from "./requests/router.ts";

/** Every path of the service. Anything else is 404. */
export const routes: Routes = {
  "GET /health": describeHealth,
  "GET /settings": describeSettings,
  "GET /.well-known/jwks.json": listKeys,

  "POST /signup": forHumans(signUp),
  "POST /token": forHumans(issueToken),
  "GET /user": getUser,
  "PUT /user": updateUser,
  "POST /logout": logOut,

  "POST /otp": forHumans(sendOtp),
  "POST /magiclink": forHumans(sendOtp),
  "POST /recover": forHumans(recover),
  "POST /resend": forHumans(resend),
  "POST /verify": verify,
  "GET /verify": verifyLink,
  "GET /reauthenticate": reauthenticate,

  "POST /factors": enrollFactor,
  "POST /factors/{id}/challenge": challengeFactor,
  "POST /factors/{id}/verify": verifyFactor,
  "DELETE /factors/{id}": unenrollFactor,

  "POST /passkeys/registration/options": beginPasskey,
  "POST /passkeys/registration/verify": finishPasskey,
  "POST /passkeys/authentication/options": forHumans(beginPasskeySignIn),
  "POST /passkeys/authentication/verify": finishPasskeySignIn,
  "GET /passkeys": listOwnPasskeys,
  "PATCH /passkeys/{passkey}": renamePasskey,
  "DELETE /passkeys/{passkey}": removePasskey,

  "GET /admin/users": listUsers,
  "POST /admin/users": createAccount,
  "GET /admin/users/{id}": getAccount,
  "PUT /admin/users/{id}": changeAccount,
  "DELETE /admin/users/{id}": deleteAccount,
  "GET /admin/users/{id}/factors": listFactors,
  "PUT /admin/users/{id}/factors/{factor}": changeFactor,
  "DELETE /admin/users/{id}/factors/{factor}": deleteFactor,
  "GET /admin/users/{id}/passkeys": listAccountPasskeys,
  "DELETE /admin/users/{id}/passkeys/{passkey}": deleteAccountPasskey,
  "POST /admin/generate_link": generateLink,
  "POST /invite": invite,
  "GET /admin/audit": listAuditEntries,

  "GET /authorize": switchedOff.provider,
  "GET /callback": switchedOff.callback,
  "POST /callback": switchedOff.callback,
  "POST /sso": switchedOff.saml,
  "GET /sso/saml/metadata": switchedOff.saml,
  "POST /sso/saml/acs": switchedOff.saml,
  "GET /user/identities/authorize": linkIdentity,
  "DELETE /user/identities/{id}": unlinkIdentity,
  "GET /admin/oauth/clients": switchedOff.oauthServer,
  "POST /admin/oauth/clients": switchedOff.oauthServer,
  "GET /admin/oauth/clients/{id}": switchedOff.oauthServer,
  "PUT /admin/oauth/clients/{id}": switchedOff.oauthServer,
  "DELETE /admin/oauth/clients/{id}": switchedOff.oauthServer,
  "POST /admin/oauth/clients/{id}/regenerate_secret": switchedOff.oauthServer,
};
