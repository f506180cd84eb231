import { join } from 'node:path';

import { stop } from 'esbuild';

import { systemClock } from '../packages/kernel/src/clock.ts';
import { startHeartbeat } from '../packages/runtime/src/timing/heartbeat.ts';
import { buildConsole } from './build-console.ts';
import { bundle } from './bundle.ts';
import { compilerCommand, compileTalking } from './compile-talking.ts';
import { fingerprintOf, isFresh } from './freshness.js';

/** The services that have a program. */
export const everyService = ['auth', 'ingest-gateway', 'aggregator', 'billing', 'notifier', 'standalone'] as const;
export type BuiltService = (typeof everyService)[number];
const servesConsole: readonly BuiltService[] = ['billing', 'standalone'];

/**
 * Compiles these services with all that they need, without any the whole repository, bundles those whose bundle is of
 * other sources, and builds the console beside it. Says on standard error what goes on. Returns an exit code.
 */
export async function buildServices(
  root: string,
  services: readonly BuiltService[],
  { isBundled = true }: { readonly isBundled?: boolean } = {},
): Promise<number> {
  const fingerprint = fingerprintOf(root); // taken before the build: a later change is built the next time
  const parts = services.length === 0 ? [root] : services.map((service) => join(root, 'services', service));
  const compiler = compilerCommand(...parts.map((part) => join(part, 'tsconfig.build.json')));
  const needsConsole = services.length === 0 || services.some((service) => servesConsole.includes(service));
  const codes = await Promise.all([compileTalking(compiler, { say }), needsConsole ? buildConsole(root) : 0]);
  const code = Math.max(...codes);
  if (code !== 0 || !isBundled) return code;
  const heartbeat = startHeartbeat({ clock: systemClock, say: (step, seconds) => say(`${step}, ${seconds} s`) });
  heartbeat.at('Bundling Tollgate');
  try {
    const stale = (services.length === 0 ? everyService : services).filter((service) => !isFresh(root, service));
    await Promise.all(stale.map((service) => bundle(root, service, fingerprint)));
    return 0;
  } catch (error) {
    say(`Tollgate could not be bundled: ${String(error)}`);
    return 1;
  } finally {
    heartbeat.stop();
    await stop(); // esbuild's process
  }
}

/** Standard output belongs to the program that runs next. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
