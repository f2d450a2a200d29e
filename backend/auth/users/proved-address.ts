import type { AuthConfig } from "../service/auth-config.ts";
import type { UserRow } from "./user-row.ts";

type Identity = {
  provider: string;
  identity_data: { email?: unknown; email_verified?: unknown; email_proved?: unknown };
};

/**
 * Whether the account's user has proved that its address is theirs: by a mail to it, through a provider, or to an
 * operator. Being confirmed proves nothing where accounts are confirmed without a mail, nor for those made at such a
 * time; an account from elsewhere does not say how it was confirmed.
 */
export function isAddressProved(user: UserRow, { mailerAutoconfirm }: Pick<AuthConfig, "mailerAutoconfirm">) {
  if (user.email_confirmed_at == null) return false;
  const proofs = (JSON.parse(user.identities) as Identity[])
    .filter(({ provider, identity_data: { email } }) => provider !== "phone" && email === user.email)
    .map(({ provider, identity_data: { email_verified, email_proved } }) =>
      provider === "email" ? email_proved : email_verified === true,
    );
  if (proofs.includes(true)) return true;
  const isDisproved = proofs.length > 0 && proofs.every((proof) => proof === false);
  return !mailerAutoconfirm && !isDisproved;
}
