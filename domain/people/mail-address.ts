import * as v from "valibot";
import { typedText } from "../text/typed-number.ts";

/** The rule of the auth service (backend/auth/users/address.ts), which limits the part before the @ to 64 characters. */
const MAIL_ADDRESS =
  /^(?!.*\.\.)[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** A typed email address; `message` if it is none. */
export const mailAddress = (message: string) =>
  v.pipe(v.string(), v.transform(typedText), v.regex(MAIL_ADDRESS, message));
