import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';

const running: ChildService[] = [];

/** A process of its own that runs `services`, an array literal in which `log` and `wait` may be used. */
function run(services: string, options = ''): ChildService {
  const script = `
    import { runUntilSignal } from ${JSON.stringify(`${import.meta.dirname}/../../src/lifecycle/run-until-signal.ts`)};
    const say = (facts, message) => console.log(message, facts.err ? facts.err.message : '', facts.service ?? '', facts.reason ?? '');
    const log = { info: say, error: say };
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const alive = setInterval(() => {}, 1_000);
    await runUntilSignal(${services}, { log, ${options} });`;
  const args = [
    '--conditions=@tollgate/source',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module-typescript',
    '--eval',
    script,
  ];
  const child = startChildService({ command: process.execPath, args });
  running.push(child);
  return child;
}

const named = (name: string, { start = '', stop = '' } = {}) =>
  `{ name: '${name}', start: async () => { console.log('start ${name}'); ${start} }, stop: async () => { ${stop}; console.log('stop ${name}'); } }`;

const withinMs = 10_000;

/** The same, once it runs. */
async function started(services: string, options = ''): Promise<ChildService> {
  const child = run(services, options);
  await child.line(/^started/m, { withinMs });
  return child;
}

async function expectEnd(child: ChildService, code: number, said: RegExp): Promise<void> {
  await expect(child.exited).resolves.toEqual({ code, signal: null });
  expect(child.output()).toMatch(said);
}

afterEach(async () => {
  for (const child of running.splice(0)) await child.destroy();
});

describe('a running process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('drains in reverse and exits 0 on %s', async (signal) => {
    const child = await started(`[${named('a')}, ${named('b')}]`);
    child.signal(signal);
    await expectEnd(child, 0, new RegExp(`stopping\\s+${signal}\\s+stop b\\s+stop a`));
  });

  it('is cut off with exit 1 when draining takes longer than its deadline', async () => {
    const child = await started(`[${named('a', { stop: 'await wait(60_000)' })}]`, 'drainDeadlineMs: 200');
    child.signal('SIGTERM');
    await expectEnd(child, 1, /requests did not finish within the deadline/);
  });

  it('exits at once on a second signal', async () => {
    const child = await started(`[${named('a', { stop: 'await wait(60_000)' })}]`);
    child.signal('SIGTERM');
    await child.line(/^stopping/m, { withinMs });
    await sleep(600);
    child.signal('SIGINT');
    await expectEnd(child, 1, /^stopping/m);
  });

  it('takes a signal that a package runner hands on for the same one', async () => {
    const child = await started(`[${named('a', { stop: 'await wait(300)' })}]`);
    child.signal('SIGINT');
    await child.line(/^stopping/m, { withinMs });
    child.signal('SIGINT');
    await expectEnd(child, 0, /stop a/);
  });

  it('stops what it started when a signal comes during the start', async () => {
    const child = run(`[${named('a')}, ${named('slow', { start: 'await wait(400)' })}]`);
    await child.line(/^start slow/m, { withinMs });
    child.signal('SIGTERM');
    await expectEnd(child, 0, /stop slow\s+stop a/);
  });

  it('exits 1 and says why when it cannot start, having stopped what had started', async () => {
    const child = run(`[${named('a')}, ${named('b', { start: "throw new Error('no port')" })}]`);
    await expectEnd(child, 1, /stop a[^]*could not start no port/);
  });

  it('ends for another reason that it was given', async () => {
    const child = run(`[${named('a')}]`, "until: [wait(300).then(() => 'the parent is gone')]");
    await expectEnd(child, 0, /stopping\s+the parent is gone\s+stop a/);
  });
});

describe('F86 a library throws where nobody catches', () => {
  it.each([
    ['in a timer', "throw new Error('timer broke')", /uncaught exception timer broke[^]*stop b\s+stop a/],
    ['in a promise', "void Promise.reject(new Error('lost'))", /unhandled rejection lost[^]*stop b\s+stop a/],
  ])('logs, drains and exits 1: %s', async (_where, thrown, said) => {
    const start = `setTimeout(() => { ${thrown}; }, 10)`;
    await expectEnd(run(`[${named('a')}, ${named('b', { start })}]`), 1, said);
  });

  it('exits 1 when a part of the service has failed for good', async () => {
    const child = run(`[${named('a')}]`, "until: [wait(300).then(() => { throw new Error('the reader crashed'); })]");
    await expectEnd(child, 1, /a part of the service failed the reader crashed[^]*stop a/);
  });
});
