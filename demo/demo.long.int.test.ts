import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { serveHttp } from '@tollgate/testkit/http-server';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { buildStandalone, standaloneCli, startStandalone } from '@tollgate/testkit/standalone-process';
import type { Report } from './report.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const ownComputation = fileURLToPath(new URL('../examples/azure-llm-2023/compute-invoices.mjs', import.meta.url));
const nodeArgs = ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
const patience = { withinMs: 240_000 };

let folder: string;
/** The demo's folder for temporary files. */
let temporary: string;
const started: ChildService[] = [];
beforeAll(async () => {
  await buildStandalone();
  folder = mkdtempSync(join(tmpdir(), 'tollgate-demo-test-'));
  temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  for (const through of [folder, temporary]) chmodSync(through, 0o711); // root's PostgreSQL runs as another user
}, 120_000);
afterAll(async () => {
  for (const service of started) await service.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function demo(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildService {
  const service = startChildService({
    command: process.execPath,
    args: [...nodeArgs, main, ...args],
    env: { TMPDIR: temporary, ...env },
  });
  started.push(service);
  return service;
}

describe('pnpm demo', () => {
  it('agrees with the files to the micro-dollar, and leaves only the printed invoices', async () => {
    const pdfFolder = join(folder, 'invoices');
    const args = [...nodeArgs, main, '--json', '--pdf', pdfFolder];
    const env = { PATH: process.env['PATH'], TMPDIR: temporary };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    const expected = await computeFromFiles();
    expect(JSON.parse(stdout)).toEqual({
      events: expected.events,
      repeats_sent: 1_410,
      invoices: expected.invoices.map((invoice) => ({ ...invoice, status: 'paid' })),
      balances: expected.balances,
      payout: { ...expected.payout, status: 'paid' },
      reconcile: { equal: true },
    });
    const files = readdirSync(pdfFolder);
    expect(files).toEqual([0, 1, 2, 3, 4].map((consumer) => `consumer-${consumer}-2023-11.pdf`));
    for (const file of files) expect(readFileSync(join(pdfFolder, file)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(readdirSync(temporary)).toEqual([]);
  }, 300_000);

  it('has a right ledger, and ends with 1 when counts no longer agree, with a service that was running already', async () => {
    const operatorToken = randomUUID();
    const dataDir = join(folder, 'data');
    const product = startStandalone({
      dataDir,
      env: { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: '2023-11-16T18:15:00Z' },
    });
    started.push(product);
    const { baseUrl } = await product.ready();
    let ledgerThenLost: Promise<string> | undefined;
    const checkThenLose = async () => {
      const said = await checkLedger(dataDir);
      await withOracleDatabase(ownerUrlOf(dataDir), (database) => database.query(loseOneCall));
      return said;
    };
    const proxy = await startProxy(baseUrl, async (path) => {
      if (path.startsWith('/v1/operator/reconcile')) await (ledgerThenLost ??= checkThenLose());
    });
    const run = demo(['--base-url', proxy.url, '--pdf', join(folder, 'other')], { OPERATOR_TOKEN: operatorToken });
    await run.line(/something differs/, patience);
    expect(await run.exited).toMatchObject({ code: 1 });
    expect(run.output()).toContain(readmeTables());
    expect(await ledgerThenLost).toContain('everything agrees');
    await proxy.close();
  }, 300_000);

  it('stops what it started and removes its data on SIGINT', async () => {
    const run = demo([]);
    await run.line(/Five consumers register/, patience);
    expect(readdirSync(temporary)).toHaveLength(1);
    run.signal('SIGINT');
    expect(await run.exited).toMatchObject({ code: 1 });
    expect(run.output()).toContain('demo: ended by SIGINT');
    expect(readdirSync(temporary)).toEqual([]);
  }, 60_000);

  it.each([
    [['--help'], 0, /Usage: pnpm demo/],
    [['--jsn'], 2, /unknown option '--jsn'/],
    [['--base-url', 'http://127.0.0.1:1'], 1, /OPERATOR_TOKEN/],
  ])('explains itself: %j', async (args, code, words) => {
    const run = demo(args);
    expect(await run.exited).toMatchObject({ code });
    await run.line(words, { withinMs: 1_000 });
  });
});

async function computeFromFiles(): Promise<Omit<Report, 'repeats_sent' | 'reconcile'>> {
  const { stdout } = await promisify(execFile)(process.execPath, [ownComputation]);
  return JSON.parse(stdout) as Omit<Report, 'repeats_sent' | 'reconcile'>;
}

/** The last words of `tollgate operator ledger check`, whatever it finds. */
async function checkLedger(dataDir: string): Promise<string> {
  const args = [standaloneCli, 'ledger', 'check', '--data', dataDir];
  return promisify(execFile)(process.execPath, args).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(error),
  );
}

/** The demo's output in the README, without the verdict. */
function readmeTables(): string {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, shown = ''] = /## The demo\n.*?```text\n(.*?)\n *Reconciled/s.exec(readme) ?? [];
  expect(shown).toContain('Transferred');
  return shown;
}

const loseOneCall = `update usage.rollup set calls = calls - 1
  where ctid = (select ctid from usage.rollup where calls > 1 order by consumer_id, tool_id limit 1)`;

/** Passes each request on after `before` has resolved for its path. */
async function startProxy(baseUrl: string, before: (path: string) => Promise<void>) {
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = '', method, headers } = incoming;
    await before(url);
    const onward = request(new URL(url, baseUrl), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  };
  const { baseUrl: url, close } = await serveHttp((incoming, outgoing) => void pass(incoming, outgoing));
  return { url, close };
}
