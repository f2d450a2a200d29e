/**
 * Shows the progress of a long step: one line that is rewritten on a terminal, and a line every ten seconds elsewhere.
 * `measure` returns the current text.
 */
export async function showProgress(title, measure, step) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const terminal = process.stdout.isTTY;
  const say = () => {
    const line = `${title}: ${[measure(), seconds()].filter(Boolean).join(", ")}`;
    process.stdout.write(terminal ? `\r\x1b[K${line}` : `${line}\n`);
  };
  process.stdout.write(terminal ? `${title} …` : `${title} …\n`);
  const timer = setInterval(say, terminal ? 200 : 10_000);
  try {
    const result = await step();
    process.stdout.write(`${terminal ? "\r\x1b[K" : ""}${title}: done in ${seconds()}\n`);
    return result;
  } catch (error) {
    process.stdout.write(terminal ? "\n" : "");
    throw error;
  } finally {
    clearInterval(timer);
  }
}
