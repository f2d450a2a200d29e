import { hash, verify } from "@node-rs/argon2";

/** Started with a duration in seconds; prints how many verifications per second one caller gets, as JSON. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const seconds = Number(process.argv[2]);
const stored = await hash("Correct horse 7 battery!", ARGON2ID);
const latencies: number[] = [];
const begin = performance.now();
for (let now = begin; now - begin < seconds * 1000; ) {
  await verify(stored, "Correct horse 7 battery!");
  const next = performance.now();
  latencies.push(next - now);
  now = next;
}
console.log(JSON.stringify({ latencies, seconds: (performance.now() - begin) / 1000 }));
