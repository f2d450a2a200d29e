/**
 * Bounds the wait for a server that may hang: after `ms`, settles as `late()`, which rejects by default.
 */
export function withTimeout<T>(
  answer: Promise<T>,
  ms: number,
  late: () => T | Promise<T> = noAnswer,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const noAnswer = () => Promise.reject(new Error("no answer in time"));
