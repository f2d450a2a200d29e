/**
 * Resolves with `late` if the answer does not arrive in time, as when a server hangs or a connection is cut silently.
 */
export function inTime<T>(answer: Promise<T>, ms: number, late: () => T | Promise<T> = noAnswer): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const noAnswer = () => Promise.reject(new Error("no answer in time"));
