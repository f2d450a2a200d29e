import type { ReactNode } from "react";

/** A section of a text page; its id is the target in the table of contents. */
export type TextSection = { id: string; title: string; content: ReactNode };

type TextPageProps = {
  title: string;
  /** A summary of the page in two or three plain sentences. */
  lead: ReactNode;
  sections: readonly TextSection[];
  /** Content after the last section, such as further links. */
  children?: ReactNode;
};

/** A page of text: title and lead, sections in one narrow column, and their table of contents beside or above. */
export function TextPage({ title, lead, sections, children }: TextPageProps) {
  return (
    <div className="page grid grid-cols-1 gap-x-14 gap-y-8 lg:grid-cols-[14rem_minmax(0,47rem)] lg:justify-center">
      <header className="prose lg:col-start-2">
        <h1>{title}</h1>
        <p className="text-lg">{lead}</p>
      </header>
      <Contents sections={sections} />
      <div className="card card-pad lg:col-start-2">
        <div className="prose">
          {sections.map(({ id, title: heading, content }, index) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
              <h2 id={`${id}-title`} className={index === 0 ? "mt-0!" : undefined}>
                {heading}
              </h2>
              {content}
            </section>
          ))}
        </div>
        {children}
      </div>
    </div>
  );
}

function Contents({ sections }: Pick<TextPageProps, "sections">) {
  return (
    <nav
      aria-labelledby="contents-title"
      className="lg:sticky lg:top-24 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:self-start"
    >
      <h2 id="contents-title" className="font-sans text-sm font-semibold text-muted">
        On this page
      </h2>
      <ol className="mt-2 grid gap-x-6 sm:grid-cols-2 lg:grid-cols-1 lg:border-l lg:border-line">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center lg:min-h-9 py-1 text-link hover:underline lg:-ml-px lg:border-l-2 lg:border-transparent lg:pl-4 lg:hover:border-focus"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
