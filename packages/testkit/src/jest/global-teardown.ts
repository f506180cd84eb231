import { once } from 'node:events';

/** Closes the pipe to the keeper, which then stops its servers and removes its folder. */
export default async function tearDown(): Promise<void> {
  const keeper = globalThis.tollgateTestCluster;
  if (!keeper || keeper.exitCode !== null || keeper.signalCode !== null) return;
  keeper.stdin?.end();
  await once(keeper, 'exit');
}
