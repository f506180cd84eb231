import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChildService, type ChildService } from './child-service.ts';

export type ServiceName = 'auth' | 'ingest-gateway' | 'aggregator' | 'billing';

export interface ServiceProcess extends ChildService {
  readonly name: ServiceName;
  readonly url: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const startPatienceMs = 30_000;

/**
 * One service as a process of its own, on free ports: its built `main.ts`. Resolves when it serves. Call
 * `buildStandalone` before, and `destroy` after.
 */
export async function startServiceProcess(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const service = startChildService({
    command: process.execPath,
    args: ['--enable-source-maps', join(root, 'services', name, 'dist/main.js')],
    env: { HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', ...env },
  });
  try {
    const patience = { withinMs: startPatienceMs };
    const [, port] = await service.line(/"listener":"http","host":"[^"]+","port":(\d+)/, patience);
    await service.line(/"msg":"started"/, patience);
    return { ...service, name, url: `http://127.0.0.1:${port}` };
  } catch (error) {
    await service.destroy();
    throw error;
  }
}
