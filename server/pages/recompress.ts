import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import type { PreparedContent } from "../http/prepared-content.ts";

const IDLE_MS = 1_000;
/** Pages beyond this stay as first compressed: a flood of requests makes pages popular, too. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Compresses popular pages again at brotli's highest quality: 10% fewer bytes for 100 times the work, so one at a time,
 * off the main thread, and only after a second in which no page became popular.
 */
export function createRecompressor(): { add(content: PreparedContent): void; close(): void } {
  const queue = new Set<PreparedContent>();
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  const runs = coalesceRuns(async () => {
    for (const content of queue) {
      queue.delete(content);
      waiting -= content.identity.length;
      content.replace("br", await compressHard(content.identity));
    }
  });
  return {
    add(content) {
      if (queue.has(content) || waiting + content.identity.length > MOST_WAITING_BYTES) return;
      queue.add(content);
      waiting += content.identity.length;
      clearTimeout(timer);
      timer = setTimeout(() => void (runs.underWay() ?? runs.next()), IDLE_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}

function compressHard(body: Buffer): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_MAX_QUALITY, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants;
  return promisify(brotliCompress)(body, {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT },
  });
}
