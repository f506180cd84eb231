import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { repository } from '@tollgate/testkit/faults/repository';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { listenLocally } from '@tollgate/testkit/listen-locally';
import { makeCertificates } from '@tollgate/testkit/make-certificates';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { standaloneCli } from '@tollgate/testkit/standalone-process';
import { openMarket } from '../clients/market.ts';
import { itWith, openFolder, type Undo } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { operatorOf } from './operator-of.ts';

const observability = join(repository, 'deploy/observability');
const prometheus = process.env['PROMETHEUS'] ?? 'prometheus';
const describeWithPrometheus = await describeWhere('prometheus', async () => {
  if (spawnSync(prometheus, ['--version']).error) throw new Error('it is not installed; PROMETHEUS names its path');
});

/** Standalone cannot have these within a minute of its start, for the reason beside each. */
const absent = new Map([
  ['tollgate_gateway_redis_up', 'standalone has no Redis'],
  ['min(tollgate_disk_full_in_seconds)', 'it is known after an hour'],
]);

interface Answer {
  readonly status: string;
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

async function openPrometheus(target: string, undo: Undo) {
  const folder = openFolder('prometheus', undo);
  const [port = 0] = await findFreePorts(1);
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(observability, 'rules.yml')],
    scrape_configs: [{ job_name: 'tollgate', static_configs: [{ targets: [target] }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config)); // JSON is YAML
  const options = ['config.file=prometheus.yml', 'storage.tsdb.path=data', `web.listen-address=127.0.0.1:${port}`];
  const child = spawn(
    prometheus,
    options.map((option) => `--${option}`),
    { cwd: folder, stdio: 'ignore' },
  );
  undo(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const get = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json();
  return {
    query: async (text: string) => (await get(`query?query=${encodeURIComponent(text)}`)) as Answer,
    rules: async () =>
      (await get('rules')) as { data: { groups: { rules: { name: string; health: string; lastError?: string }[] }[] } },
  };
}

/** An https address whose certificate ends in two days. */
async function openHttps(undo: Undo): Promise<string> {
  const { edge } = await makeCertificates(['edge']);
  const server = createServer({ key: edge.key, cert: edge.cert }, (_, response) => response.end());
  const port = await listenLocally(server);
  undo(() => server.close().closeAllConnections());
  return `https://127.0.0.1:${port}`;
}

function panelQueries(): string[] {
  const dashboard = readFileSync(join(observability, 'grafana/dashboards/tollgate.json'), 'utf8');
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }; // as Grafana reads it
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

describeWithPrometheus('a Prometheus that reads a running Tollgate', () => {
  const it = itWith(async (undo) => {
    const [metricsPort = 0] = await findFreePorts(1);
    const operatorToken = 'operator-token-of-the-dashboard-tests';
    const env = { METRICS_PORT: `${metricsPort}`, OPERATOR_TOKEN: operatorToken, PUBLIC_URL: await openHttps(undo) };
    const product = await openProduct({ name: 'dashboard', env }, undo);
    const tollgate = (...words: string[]) =>
      promisify(execFile)(process.execPath, [standaloneCli, ...words, '--data', product.dataDir], {
        env: { PATH: process.env['PATH'], PUBLIC_URL: env.PUBLIC_URL },
      }).catch((failure: { readonly stdout: string }) => failure); // its exit code says whether something needs somebody
    const market = await openMarket(product.baseUrl());
    await operatorOf(product, operatorToken).append(Buffer.from('no event'));
    await tollgate('backup', '--to', openFolder('dashboard-backups', undo), '--verify');
    return { market, tollgate, prometheus: await openPrometheus(`127.0.0.1:${metricsPort}`, undo) };
  }, 600_000);

  it('F372 has data for each query of the dashboard’s panels', async ({ prometheus: { query }, market }) => {
    const queries = panelQueries();
    expect(queries.length).toBeGreaterThan(30);
    const empty = async () => {
      await market.consumer.events.record({ tool_id: market.slug });
      const answers = await Promise.all(queries.map(async (text) => ({ text, ...(await query(text)) })));
      const isEmpty = ({ data }: Answer) =>
        data.result.every(({ value: [, figure] }) => !Number.isFinite(Number(figure)));
      expect(answers.filter(({ status }) => status !== 'success')).toEqual([]);
      return answers.filter(isEmpty).map(({ text }) => text);
    };
    const wanted = () => empty().then((texts) => texts.filter((text) => !absent.has(text)));
    await eventually(async () => (await wanted()).length === 0, { withinMs: 90_000 }).catch(() => undefined);
    expect(await wanted()).toEqual([]);
  }, 180_000);

  it('can judge each alert rule', async ({ prometheus: { rules } }) => {
    const all = async () => (await rules()).data.groups.flatMap((group) => group.rules);
    await eventually(async () => (await all()).every(({ health }) => health !== 'unknown'), { withinMs: 60_000 });
    expect((await all()).filter(({ health }) => health !== 'ok')).toEqual([]);
  });

  it('F372 shows in its metrics and in `status` when the certificate ends, and how much room is left', async (opened) => {
    const { query } = opened.prometheus;
    const figureOf = async (text: string) => Number((await query(text)).data.result[0]?.value[1]);
    const days = await figureOf('(tollgate_certificate_ends_timestamp_seconds - time()) / 86400');
    expect([days > 1.9, days < 2.1]).toEqual([true, true]);
    expect(await figureOf('tollgate_disk_free_bytes')).toBeGreaterThan(0);
    const { stdout } = await opened.tollgate('status', '--json');
    const status = JSON.parse(stdout) as Record<string, unknown>;
    expect(Number(status['certificate_ends_in_seconds']) / 86_400).toBeCloseTo(days, 1);
    expect(status).toMatchObject({ dead_letters: 1, disk_free_bytes: expect.any(Number), oldest_due_work: null });
    expect(JSON.stringify(status['needs_operator'])).toContain('certificate ends within 14 days');
  });
});
