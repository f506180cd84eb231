import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measurePrepared, measureSide, type Sample } from '../measure-side.ts';
import type { MeasuredProcess, Row, RowContext, Side } from '../row.ts';
import { describeSample } from '../run-row.ts';
import { rounded } from '../statistics.ts';
import { connectProfiler, type CpuProfile } from './cpu-profiler.ts';
import { renderFlameGraph } from './flame-graph.ts';
import { layersOf } from './layers.ts';
import { countStatementsAt, type StatementTime } from './statements.ts';
import { unbundle } from './unbundle.ts';

interface Profiles {
  readonly sample: Sample;
  readonly byProcess: readonly { readonly name: string; readonly profile: CpuProfile }[];
  readonly statements: readonly StatementTime[];
}

/** Profiles one round of a row after a warm-up, and answers the folder of what it left. The round is slower than others. */
export async function profileRow(row: Row, context: RowContext): Promise<string> {
  const folder = fileURLToPath(new URL(`../profiles/${row.id}/`, import.meta.url));
  const side = await row.openOurs(context);
  try {
    await measureSide(side);
    const profiles = await profileRound(side);
    context.progress(`${row.id} under the profiler: ${describeSample(row, profiles.sample)}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, profile } of profiles.byProcess) {
      writeFileSync(`${folder}${name}.cpuprofile`, JSON.stringify(profile));
      writeFileSync(`${folder}${name}.svg`, renderFlameGraph(profile, `${row.id} ${name}`));
    }
    writeFileSync(`${folder}layers.md`, describeProfiles(row, profiles));
    return folder;
  } finally {
    await side.close();
  }
}

async function profileRound(side: Side): Promise<Profiles> {
  await side.prepare?.(); // may start processes anew
  const nodes = side.processes.filter(isInspected);
  if (nodes.length === 0 && side.statementsUrl === undefined)
    throw new Error('this row has neither a Node process of its own nor statements that could be profiled');
  const profilers = await Promise.all(
    nodes.map(async ({ name, inspectorUrl }) => ({ name, profiler: await connectProfiler(inspectorUrl) })),
  );
  const statements = side.statementsUrl === undefined ? undefined : await countStatementsAt(side.statementsUrl);
  try {
    await statements?.reset();
    await Promise.all(profilers.map(({ profiler }) => profiler.start()));
    const sample = await measurePrepared(side);
    const byProcess = await Promise.all(
      profilers.map(async ({ name, profiler }) => ({ name, profile: unbundle(await profiler.stop()) })),
    );
    return { sample, byProcess, statements: (await statements?.read()) ?? [] };
  } finally {
    await statements?.close(); // before its server stops
  }
}

function isInspected(each: MeasuredProcess): each is MeasuredProcess & { readonly inspectorUrl: string } {
  return each.inspectorUrl !== undefined;
}

function describeProfiles(row: Row, { sample, byProcess, statements }: Profiles): string {
  const parts = byProcess.map(({ name, profile }) => {
    const lines = layersOf(profile).map(
      ({ name: layer, share }) =>
        `| ${layer} | ${(share * 100).toFixed(1)} % | ${rounded(share * (sample.cpuMicrosPerEvent[name] ?? 0))} |`,
    );
    return `## ${name}\n\n| Layer | Share of its work | CPU µs per event |\n| --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  const asked = statements.map(
    ({ calls, milliseconds, rows, walBytes, text }) =>
      `| ${rounded(milliseconds)} | ${calls} | ${rows} | ${rounded((milliseconds * 1_000) / sample.events)} | ${rounded(walBytes / sample.events)} | ${inOneLine(text)} |`,
  );
  const head =
    '| ms | Calls | Rows | µs per event | WAL bytes per event | Statement |\n| --- | --- | --- | --- | --- | --- |';
  return `# ${row.id} under the profiler

${row.ours}.
${sample.events} events; ${describeSample(row, sample)}.

${parts.join('\n')}
## PostgreSQL's statements

${head}
${asked.join('\n')}
`;
}

function inOneLine(text: string): string {
  return `\`${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'").trim().slice(0, 160)}\``;
}
