import type { ServiceProcess } from './service-process.ts';

/** Undefined: there is no such series, or not yet. */
export type ReadSeries = (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;

/** What a service says of itself at `/metrics` now: the first series of a name that has these labels among its own. */
export async function readSeries({ metricsUrl }: Pick<ServiceProcess, 'metricsUrl'>): Promise<ReadSeries> {
  const page = await (await fetch(metricsUrl)).text();
  return function valueOf(name, labels = {}) {
    const wanted = Object.entries(labels).map(([label, value]) => `(?=[^}]*\\b${label}="${value}")`);
    const found = new RegExp(`^${name}\\{${wanted.join('')}[^}]*\\} (\\S+)$`, 'm').exec(page)?.[1];
    return found === undefined ? undefined : Number(found);
  };
}
