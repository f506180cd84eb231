import { once } from 'node:events';

/** Closing the pipe is all the keeper waits for; then it stops the server and removes its folder. */
export default async function tearDown(): Promise<void> {
  const keeper = globalThis.tollgateTestCluster;
  if (!keeper || keeper.exitCode !== null || keeper.signalCode !== null) return;
  keeper.stdin?.end();
  await once(keeper, 'exit');
}
