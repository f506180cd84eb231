import { join } from 'node:path';
import { startChildService, type ChildService, type ChildServiceOptions } from './child-service.ts';
import { repository } from './faults/repository.ts';

export type ServiceName = 'auth' | 'ingest-gateway' | 'aggregator' | 'billing' | 'notifier';

export interface ServiceProcess extends ChildService {
  readonly name: ServiceName;
  readonly url: string;
  readonly metricsUrl: string;
}

const startPatienceMs = 90_000; // five at once on a busy machine

/**
 * Starts the built `main.ts` of one service as a process, on free ports. Resolves when it serves. Call `buildStandalone`
 * before and `destroy` after.
 */
export async function startServiceProcess(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
  { logFile }: Pick<ChildServiceOptions, 'logFile'> = {},
): Promise<ServiceProcess> {
  const service = startChildService({
    command: process.execPath,
    args: ['--enable-source-maps', join(repository, 'services', name, 'dist/bundle/main.js')],
    env: { HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', ...env },
    logFile,
  });
  try {
    const patience = { withinMs: startPatienceMs };
    const [, port] = await service.line(/"listener":"http","host":"[^"]+","port":(\d+)/, patience);
    const [, metricsPort] = await service.line(/"listener":"metrics","host":"[^"]+","port":(\d+)/, patience);
    await service.line(/"msg":"started"/, patience);
    const [url, metricsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${metricsPort}/metrics`];
    return { ...service, name, url, metricsUrl };
  } catch (error) {
    await service.destroy();
    throw error;
  }
}
