import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { MeasuredProcess } from '../row.ts';

/** CPU time in microseconds, from /proc/<pid>/stat. */
interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  /** The time of the process itself: user and system. */
  readonly ownMicros: number;
  /** The time of its children that have ended and were waited for. */
  readonly endedChildrenMicros: number;
}

const microsPerTick = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time so far by name. A process that has ended counts with its parent, if that one belongs to a measured tree. */
export function readCpuByName(processes: readonly MeasuredProcess[]): Map<string, number> {
  const stats = readAllStats();
  const micros = new Map<string, number>();
  for (const { name, pid, isTree = false } of processes) {
    const counted = isTree ? treeMicros(stats, pid) : (stats.get(pid)?.ownMicros ?? Number.NaN);
    micros.set(name, (micros.get(name) ?? 0) + counted);
  }
  return micros;
}

/** CPU time of this process and all of its descendants, those that have ended included. */
export function readOurCpuMicros(): number {
  return treeMicros(readAllStats(), process.pid);
}

/** CPU time of the children of this process that have ended: load generators, which run for one round each. */
export function readEndedChildrenMicros(): number {
  return readStat(process.pid)?.endedChildrenMicros ?? 0;
}

function treeMicros(stats: ReadonlyMap<number, ProcessStat>, root: number): number {
  const childrenOf = Map.groupBy(stats.values(), ({ parentPid }) => parentPid);
  let sum = 0;
  const left = [root];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    const stat = stats.get(pid);
    sum += (stat?.ownMicros ?? 0) + (stat?.endedChildrenMicros ?? 0);
    left.push(...(childrenOf.get(pid) ?? []).map((child) => child.pid));
  }
  return sum;
}

function readAllStats(): Map<number, ProcessStat> {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((stat) => stat !== undefined);
  return new Map(stats.map((stat) => [stat.pid, stat]));
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), microsPerTick);
  } catch {
    return undefined; // it has ended
  }
}

/** The second field is the program's name in parentheses, which may hold spaces and parentheses itself. */
export function parseProcessStat(text: string, tickMicros: number): ProcessStat {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const field = (numberInManual: number): number => fields[numberInManual - 3] ?? Number.NaN; // the third is the first left
  return {
    pid: Number.parseInt(text, 10),
    parentPid: field(4),
    ownMicros: (field(14) + field(15)) * tickMicros,
    endedChildrenMicros: (field(16) + field(17)) * tickMicros,
  };
}
