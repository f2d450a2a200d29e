/** The heading of the card on /auth. The first view inlines its own copy: a file would cost more than these lines. */
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
