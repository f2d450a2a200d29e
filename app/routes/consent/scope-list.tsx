type ScopeListProps = { user: { email: string }; scope: string };

/** What an application gets to do and to know, and what it never does. */
export function ScopeList({ user, scope }: ScopeListProps) {
  const asked = scope.split(" ");
  const known: [scope: string, words: string][] = [
    ["profile", "the name and picture that your account was made with"],
    ["email", user.email ? `your email address, ${user.email}` : "your email address, if you add one"],
    ["phone", "your phone number, if your account has one"],
  ];
  return (
    <div className="grid gap-3">
      <div>
        <h2 className="font-semibold">It may</h2>
        <ul className="wrap-anywhere list-disc pl-5">
          <li>know that you have an account here, and which one it is</li>
          <li>see, add and remove your saved trades</li>
          {known
            .filter(([named]) => asked.includes(named))
            .map(([named, words]) => (
              <li key={named}>know {words}</li>
            ))}
        </ul>
      </div>
      <div>
        <h2 className="font-semibold">It may not</h2>
        <ul className="list-disc pl-5">
          <li>change your password, your email or anything else that opens your account</li>
          <li>write in the chat, rate traders, or change your username and picture</li>
        </ul>
      </div>
    </div>
  );
}
