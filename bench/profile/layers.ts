import type { CpuProfile, ProfileNode } from './cpu-profiler.ts';

export interface Layer {
  readonly name: string;
  readonly micros: number;
  /** Of the time in which the process did anything. */
  readonly share: number;
}

/** The time on top of the stack by layer, the longest first; the time of waiting is left out. */
export function layersOf(profile: CpuProfile): Layer[] {
  const micros = new Map<string, number>();
  for (const [node, time] of selfTimes(profile)) {
    const layer = layerOf(node);
    if (layer !== undefined) micros.set(layer, (micros.get(layer) ?? 0) + time);
  }
  const all = [...micros.values()].reduce((sum, each) => sum + each, 0);
  return [...micros]
    .map(([name, each]) => ({ name, micros: each, share: each / all }))
    .toSorted((a, b) => b.micros - a.micros);
}

/** Time on top of the stack by node. A sample stands for the time until the next one. */
export function selfTimes({ nodes, samples, timeDeltas, endTime, startTime }: CpuProfile): Map<ProfileNode, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<ProfileNode, number>();
  const elapsed = timeDeltas.reduce((sum, delta) => sum + delta, 0);
  samples.forEach((id, at) => {
    const node = byId.get(id);
    const time = timeDeltas[at + 1] ?? Math.max(0, endTime - startTime - elapsed);
    if (node) times.set(node, (times.get(node) ?? 0) + time);
  });
  return times;
}

const namedByEngine: Readonly<Record<string, string | undefined>> = {
  '(garbage collector)': 'garbage collector',
  '(program)': 'native: system calls, compiler, crypto',
  '(idle)': undefined,
  '(root)': undefined,
};
const drivers = /^(pg|pg-pool|pg-protocol|pg-types|postgres-.+|pg-.+)$/;

/** Undefined: the process waits. */
function layerOf({ callFrame: { functionName, url } }: ProfileNode): string | undefined {
  if (functionName in namedByEngine) return namedByEngine[functionName];
  if (url === '') return 'native: built-in functions';
  if (url.startsWith('node:')) return `node: ${url.slice(5).replace('internal/', '').split('/')[0]}`;
  return layerOfFile(url);
}

function layerOfFile(url: string): string {
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (dependency !== undefined && !dependency.startsWith('@tollgate/'))
    return drivers.test(dependency) ? `driver: ${dependency}` : `library: ${dependency}`;
  const [, group, part, , folder] = /\/(packages|services)\/([^/]+)\/(dist|src)\/(?:([^/]+)\/)?/.exec(url) ?? [];
  if (group !== undefined) return `${group}/${part}${folder === undefined ? '' : `/${folder}`}`;
  return 'other';
}
