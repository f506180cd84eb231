import type { Service } from '@tollgate/kernel/service';

/** Stops everything that was started, the last one first. Safe to call twice: there is one stopping. */
export type StopAll = () => Promise<void>;

export type OnStopError = (name: string, error: unknown) => void;

/** Starts in order. If one fails, those already started stop in reverse, then the failure is thrown. */
export async function startAll(services: readonly Service[], onStopError: OnStopError): Promise<StopAll> {
  const started: Service[] = [];
  try {
    for (const service of services) {
      await service.start();
      started.push(service);
    }
  } catch (error) {
    await stopInReverse(started, onStopError);
    throw error;
  }
  let stopping: Promise<void> | undefined;
  return function stopAll() {
    stopping ??= stopInReverse(started, onStopError);
    return stopping;
  };
}

/** One that fails to stop is reported and does not keep the others from stopping. */
async function stopInReverse(started: readonly Service[], onStopError: OnStopError): Promise<void> {
  for (const service of started.toReversed()) {
    try {
      await service.stop();
    } catch (error) {
      onStopError(service.name, error);
    }
  }
}
