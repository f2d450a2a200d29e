import { owesSecondFactor } from "#app/features/session/second-factor.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { NewPasswordForm } from "./new-password-form.tsx";
import { SecondFactorForm } from "./second-factor-form.tsx";
import { WaysIn } from "./ways-in.tsx";

/** What stands between a session and home: the second factor first, then a forgotten password's successor. */
export function Unfinished() {
  const { session } = useSession();
  if (session && owesSecondFactor(session)) {
    return (
      <>
        <Heading title="One more step" text="Your account asks for a second factor." />
        <SecondFactorForm session={session} />
      </>
    );
  }
  return (
    <>
      <Heading
        title="Choose a new password"
        text="It takes the place of the old one. Look through what opens your account."
      />
      {session && <WaysIn session={session} />}
      <NewPasswordForm />
    </>
  );
}

function Heading({ title, text }: { title: string; text: string }) {
  return (
    <header className="grid gap-1">
      <h1 id="auth-title" className="text-3xl">
        {title}
      </h1>
      <p className="text-muted">{text}</p>
    </header>
  );
}
