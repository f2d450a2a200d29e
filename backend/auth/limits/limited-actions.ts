const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** At most `points` attempts per `seconds`; an infinite limit is not counted. */
export type Limit = { points: number; seconds: number };

export type LimitedAction = keyof typeof defaultLimits;

/** Actions beginning with `account` count per account or mailbox, the others per network. */
export const defaultLimits = {
  signUp: { points: 30, seconds: 5 * MINUTE },
  signUpDay: { points: 200, seconds: DAY },
  signUpAnonymously: { points: 30, seconds: HOUR },
  signIn: { points: 30, seconds: 5 * MINUTE },
  refresh: { points: 150, seconds: 5 * MINUTE },
  verify: { points: 30, seconds: 5 * MINUTE },
  send: { points: 30, seconds: 5 * MINUTE },
  factor: { points: 15, seconds: MINUTE },
  sso: { points: 30, seconds: 5 * MINUTE },
  assertion: { points: 15, seconds: 5 * MINUTE },
  web3: { points: 30, seconds: 5 * MINUTE },
  passkey: { points: 30, seconds: 5 * MINUTE },
  oauthRegister: { points: 10, seconds: 5 * MINUTE },
  oauthRequest: { points: 100, seconds: 5 * MINUTE },
  oauthToken: { points: 300, seconds: 5 * MINUTE },
  provider: { points: 30, seconds: 5 * MINUTE },
  accountSignIn: { points: 100, seconds: HOUR },
  /** Not a limit: how long a network that an account signed in from is remembered. */
  accountKnownNetwork: { points: 1_000_000, seconds: 30 * DAY },
  accountSignInFromAddress: { points: 10, seconds: 5 * MINUTE },
  accountChange: { points: 120, seconds: HOUR },
  accountVerify: { points: 10, seconds: 10 * MINUTE },
  accountVerifyDay: { points: 50, seconds: DAY },
  accountFactor: { points: 5, seconds: MINUTE },
  accountFactorDay: { points: 50, seconds: DAY },
  accountSend: { points: 1, seconds: MINUTE },
  accountSendDay: { points: 50, seconds: DAY },
  accountSms: { points: 1, seconds: MINUTE },
  accountSmsDay: { points: 20, seconds: DAY },
  accountFactorSms: { points: 1, seconds: MINUTE },
  accountFactorSmsDay: { points: 20, seconds: DAY },
  accountNoticeSms: { points: 20, seconds: DAY },
  accountDeviceNotice: { points: 5, seconds: DAY },
  /** Global limits. */
  mailsSent: { points: Number.POSITIVE_INFINITY, seconds: HOUR },
  textsSent: { points: 300, seconds: HOUR },
  failureEntries: { points: 2_000, seconds: DAY },
} satisfies Record<string, Limit>;
