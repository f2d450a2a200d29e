/** A gray placeholder for loading content, hidden from screen readers: `<Skeleton className="h-6 w-40" />`. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <div data-slot="skeleton" aria-hidden="true" className={`skeleton ${className}`} />;
}
