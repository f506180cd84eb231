import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@tollgate/testkit/faults/repository';
import type { OtlpSpan } from './otlp-spans.ts';

/** docs/tracing.md: its command for an agent, what that prints, and the trace that it shows. */
export function readTracingPage(): { readonly command: string; readonly printed: string; readonly tree: string } {
  const page = readFileSync(join(repository, 'docs/tracing.md'), 'utf8');
  const [, command = '', printed = ''] = /```sh\n(curl .*?)```\n\n```text\n(.*?)```/s.exec(page) ?? [];
  const [, tree = ''] = /```text\n(POST .*?)```/s.exec(page) ?? [];
  return { command, printed, tree };
}

export async function paste(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  return (await promisify(execFile)('/bin/sh', ['-c', command], { env: { ...process.env, ...env } })).stdout;
}

/** The spans below `parentId`, each with the names of those below it, without statements but the one that adds to rollups. */
export function treeOf(spans: readonly OtlpSpan[], parentId: string, depth = 0): string {
  return spans
    .filter((span) => span.parentId === parentId)
    .filter(({ name, attributes }) => attributes['db.system.name'] === undefined || name === 'usage.record_events')
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, spanId }) => `${'  '.repeat(depth)}${name}\n${treeOf(spans, spanId, depth + 1)}`)
    .join('');
}
