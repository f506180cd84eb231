import type { Checks, Service } from '@tollgate/kernel/service';
import { startAll, type StopAll } from './start-all.ts';

export type Extra = Pick<Service, 'handle' | 'readiness'>;

/**
 * Combines several services into one: it starts them in this order, stops them in reverse, and is ready when all of
 * them are. Its `stop` throws all failures together at the end.
 */
export function combine(name: string, services: readonly Service[], extra: Extra = {}): Service {
  let stopErrors: unknown[] = [];
  let stopAll: StopAll | undefined;
  const collect = (_name: string, error: unknown): void => void stopErrors.push(error);

  async function start(stopping?: AbortSignal): Promise<void> {
    stopErrors = [];
    try {
      stopAll = await startAll(services, collect, stopping);
    } catch (error) {
      throw stopErrors.length === 0
        ? error
        : new AggregateError([error, ...stopErrors], `${name} failed to start, and to clean up`);
    }
  }

  async function stop(): Promise<void> {
    const stopThese = stopAll;
    stopAll = undefined;
    await stopThese?.();
    if (stopThese && stopErrors.length > 0) {
      throw new AggregateError(stopErrors, `${name} did not stop cleanly`);
    }
  }

  return { name, start, stop, readiness: () => readinessOf(services), ...extra };
}

/** The checks of all services. A service that cannot name its checks is not ready. */
function readinessOf(services: readonly Service[]): Checks {
  const checks = services.map((service) => {
    try {
      return service.readiness?.() ?? {};
    } catch {
      return { [service.name]: 'cannot tell' };
    }
  });
  return Object.assign({}, ...checks) as Checks; // each of them is such a record
}
