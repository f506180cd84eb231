import type { Service } from '@tollgate/kernel/service';

/** Stops all started services, the last one first. A second call waits for the first. */
export type StopAll = () => Promise<void>;

export type OnStopError = (name: string, error: unknown) => void;

/** Starts in order. If one fails, it stops the started ones in reverse and throws the failure. */
export async function startAll(
  services: readonly Service[],
  onStopError: OnStopError,
  signal?: AbortSignal,
): Promise<StopAll> {
  const started: Service[] = [];
  try {
    for (const service of services) {
      await service.start(signal);
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

/** Reports a service that fails to stop, and stops the others all the same. */
async function stopInReverse(started: readonly Service[], onStopError: OnStopError): Promise<void> {
  for (const service of started.toReversed()) {
    try {
      await service.stop();
    } catch (error) {
      onStopError(service.name, error);
    }
  }
}
