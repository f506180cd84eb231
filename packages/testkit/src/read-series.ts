import type { ServiceProcess } from './service-process.ts';

/** Returns undefined if there is no such series yet. */
export type ReadSeries = (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;

/** Reads a service's `/metrics` now. A name and labels select the first series that has these labels. */
export async function readSeries({ metricsUrl }: Pick<ServiceProcess, 'metricsUrl'>): Promise<ReadSeries> {
  return seriesIn(await (await fetch(metricsUrl)).text());
}

/** Reads a page of metrics in the text format of Prometheus. */
export function seriesIn(page: string): ReadSeries {
  return function valueOf(name, labels = {}) {
    const wanted = Object.entries(labels).map(([label, value]) => `(?=[^}]*\\b${label}="${value}")`);
    const found = new RegExp(`^${name}\\{${wanted.join('')}[^}]*\\} (\\S+)$`, 'm').exec(page)?.[1];
    return found === undefined ? undefined : Number(found);
  };
}
