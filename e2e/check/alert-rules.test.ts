import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repository } from '@tollgate/testkit/faults/repository';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';

const cwd = join(repository, 'deploy/observability');
const promtool = (...words: string[]) =>
  spawnSync(process.env['PROMTOOL'] ?? 'promtool', words, { cwd, encoding: 'utf8' });
const describeWithPromtool = await describeWhere('promtool', async () => {
  if (promtool('--version').error) throw new Error('promtool of Prometheus is not installed; PROMTOOL names its path');
});

describeWithPromtool('the alert rules', () => {
  it('fire in their scenarios, each once, and are silent in a calm deployment', () => {
    const { status, stdout, stderr } = promtool('test', 'rules', 'rules.test.yml', 'log-away.test.yml');
    expect({ status, said: `${stdout}${stderr}` }).toMatchObject({
      status: 0,
      said: expect.stringContaining('SUCCESS'),
    });
  });
});

describe('the dashboard', () => {
  it('shows each metric that an alert rule reads', () => {
    const rules = readFileSync(join(cwd, 'rules.yml'), 'utf8');
    const dashboard = readFileSync(join(cwd, 'grafana/dashboards/tollgate.json'), 'utf8');
    const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] }; // as Grafana reads it
    const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
    const read = metricsOf([...rules.matchAll(/^ +expr: (\|\n(?: {10}.*\n)+|.*\n)/gm)].join('\n'));
    expect(read.length).toBeGreaterThan(20);
    expect(read.filter((metric) => !metricsOf(shown).includes(metric))).toEqual([]);
  });
});

/** Returns the metrics of PromQL expressions: our own, and whether a process answers. */
function metricsOf(expressions: string): string[] {
  return [...new Set(expressions.match(/\b(?:tollgate_\w+|up(?=\{))/g))];
}
