import type { MeasuredCategory, MeasuredPeriod } from "./accuracy-queries.ts";

/** How close values were to prices paid, or that it is unknown; never a figure from too few trades. */
export function Accuracy({ accuracy }: { accuracy: readonly MeasuredPeriod[] }) {
  return (
    <>
      <h2 id="accuracy">How close values come</h2>
      <p>
        A value is held against the median of the trades that both sides confirmed in the days after it. Saved
        trades do not count: they are what-ifs. Below 20 confirmed trades of a category nothing is said of it.
      </p>
      {accuracy.map(({ days, categories }) => (
        <div key={days}>
          <h3>After {days} days</h3>
          <Period categories={categories} />
        </div>
      ))}
    </>
  );
}

function Period({ categories }: Pick<MeasuredPeriod, "categories">) {
  if (categories === null) return <p>This can’t be loaded right now.</p>;
  if (!categories.some(isEnough)) return <p>There are not enough confirmed trades yet to say anything.</p>;
  return (
    <ul>
      {categories.map(({ category, trades, median_error }) => (
        <li key={category}>
          {category}:{" "}
          {median_error === null
            ? `not enough confirmed trades (${trades} of 20)`
            : `half of the values were within ${median_error}% of what was paid, by ${trades} confirmed trades`}
        </li>
      ))}
    </ul>
  );
}

const isEnough = ({ median_error }: MeasuredCategory) => median_error !== null;
