/** Gives up what is frozen or cut without a word, for what `late` gives in its place. */
export function inTime<T>(answer: Promise<T>, ms: number, late: () => T | Promise<T> = noAnswer): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const noAnswer = () => Promise.reject(new Error("no answer in time"));
