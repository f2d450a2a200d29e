import { enterWorld } from "./enter-world.ts";
import { World } from "./world.ts";

/** A summary of a run, to compare two with the same seed. */
export type Outline = { trace: string; steps: number; said: number; faults: number };

type Story = { tell(): Promise<void>; said: number; faults: number };

/**
 * Throws when a user sees something wrong; the same seed fails the same way. `begin` still runs in the machine's own
 * time.
 */
export async function tellStory(
  seed: number,
  begin: (world: World) => Promise<Story> | Story,
): Promise<Outline> {
  const world = new World(seed);
  const story = await begin(world);
  const leave = enterWorld(world);
  try {
    await story.tell();
    const { said, faults } = story;
    return { trace: world.hash(), steps: world.steps, said, faults };
  } catch (cause) {
    throw new Error(`seed ${seed}: ${(cause as Error).message}`, { cause });
  } finally {
    leave();
  }
}
