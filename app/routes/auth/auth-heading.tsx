/** What stands at the head of the card of /auth, and names it. Its first view has its own: a file for these lines costs more than they do. */
export function AuthHeading({ title, text }: { title: string; text: string }) {
  return (
    <header className="grid gap-1">
      <h1 id="auth-title" className="text-3xl">
        {title}
      </h1>
      <p className="text-muted">{text}</p>
    </header>
  );
}
