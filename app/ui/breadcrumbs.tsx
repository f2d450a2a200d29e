import { Link } from "react-router";

export type BreadcrumbsProps = {
  /** Outermost first; the last one is the page itself and not a link. */
  steps: readonly { name: string; path: string }[];
};

/** The path to this page: `<Breadcrumbs steps={[{ name: "Values", path: "/values" }, …]} />`. */
export function Breadcrumbs({ steps }: BreadcrumbsProps) {
  const last = steps.length - 1;
  return (
    <nav data-slot="breadcrumbs" aria-label="Breadcrumb">
      <ol className="breadcrumbs">
        {steps.map((step, index) => (
          <li key={step.path}>
            {index === last ? (
              <span aria-current="page">{step.name}</span>
            ) : (
              <Link to={step.path}>{step.name}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
