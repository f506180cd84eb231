import { describe, expect, it } from '@jest/globals';
import { combine } from './combine.ts';
import type { Service } from '@tollgate/kernel/service';
import { startAll } from './start-all.ts';

interface Failing {
  readonly onStart?: string;
  readonly onStop?: string;
}

function createJournal() {
  const lines: string[] = [];
  function service(name: string, failing: Failing = {}): Service {
    return {
      name,
      async start() {
        await Promise.resolve();
        lines.push(`start ${name}`);
        if (failing.onStart !== undefined) throw new Error(failing.onStart);
      },
      async stop() {
        await Promise.resolve();
        lines.push(`stop ${name}`);
        if (failing.onStop !== undefined) throw new Error(failing.onStop);
      },
      readiness: () => ({ [name]: 'ok' }),
    };
  }
  const onStopError = (name: string, error: unknown) => void lines.push(`${name}: ${String(error)}`);
  return { lines, service, onStopError };
}

describe('startAll', () => {
  it('starts in order and stops in reverse', async () => {
    const { lines, service, onStopError } = createJournal();
    const stopAll = await startAll([service('a'), service('b'), service('c')], onStopError);
    await stopAll();
    expect(lines).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  it('stops what had started, in reverse, when one cannot start, and throws why', async () => {
    const { lines, service, onStopError } = createJournal();
    const starting = startAll(
      [service('a'), service('b'), service('c', { onStart: 'no port' }), service('d')],
      onStopError,
    );
    await expect(starting).rejects.toThrow('no port');
    expect(lines).toEqual(['start a', 'start b', 'start c', 'stop b', 'stop a']);
  });

  it('goes on stopping after one failed to, and reports it', async () => {
    const { lines, service, onStopError } = createJournal();
    const stopAll = await startAll([service('a'), service('b', { onStop: 'stuck' }), service('c')], onStopError);
    await stopAll();
    expect(lines.slice(3)).toEqual(['stop c', 'stop b', 'b: Error: stuck', 'stop a']);
  });

  it('stops once, however often it is asked to', async () => {
    const { lines, service, onStopError } = createJournal();
    const stopAll = await startAll([service('a')], onStopError);
    await Promise.all([stopAll(), stopAll()]);
    await stopAll();
    expect(lines).toEqual(['start a', 'stop a']);
  });
});

describe('combine', () => {
  it('throws what failed to stop, after all have been stopped', async () => {
    const { lines, service } = createJournal();
    const whole = combine('whole', [
      service('a', { onStop: 'a stuck' }),
      service('b', { onStop: 'b stuck' }),
      service('c'),
    ]);
    await whole.start();
    const stopped = await whole.stop().catch((error: unknown) => error);
    expect(stopped).toMatchObject({
      message: 'whole did not stop cleanly',
      errors: [{ message: 'b stuck' }, { message: 'a stuck' }],
    });
    expect(lines).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
  });

  it('throws the failed start together with the failed clean-up', async () => {
    const { service } = createJournal();
    const whole = combine('whole', [service('a', { onStop: 'a stuck' }), service('b', { onStart: 'no port' })]);
    const failure = await whole.start().catch((error: unknown) => error);
    expect(failure).toMatchObject({ errors: [{ message: 'no port' }, { message: 'a stuck' }] });
  });

  it('is stopped without harm when it never started, and twice', async () => {
    const { lines, service } = createJournal();
    const whole = combine('whole', [service('a')]);
    await whole.stop();
    await whole.start();
    await whole.stop();
    await whole.stop();
    expect(lines).toEqual(['start a', 'stop a']);
  });

  it('is as ready as its parts, and a part that throws is not', () => {
    const { service } = createJournal();
    const broken: Service = {
      ...service('b'),
      readiness() {
        throw new Error('down');
      },
    };
    expect(combine('whole', [service('a'), broken]).readiness?.()).toEqual({ a: 'ok', b: 'cannot tell' });
  });
});
