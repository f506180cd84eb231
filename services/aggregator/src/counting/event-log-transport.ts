import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import type { EventLogReader, LogBatch, SubscribeOptions, Subscription } from '@tollgate/event-log/event-log';
import { isObservable, lastValueFrom } from 'rxjs';

export interface EventLogTransportOptions extends Pick<
  SubscribeOptions,
  'nextOffset' | 'lastRecord' | 'onCaughtUp' | 'onPartitions'
> {
  readonly eventLog: EventLogReader;
  readonly group: string;
  /** Called when reading cannot go on without losing records. */
  readonly onFailed: (error: unknown) => void;
}

/** Hands whole batches to Nest handlers. When a handler throws, Nest returns a *stream* that fails; unread, it would lose the batch. */
export class EventLogTransport extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  private readonly options: EventLogTransportOptions;
  private readonly subscriptions: Subscription[] = [];

  constructor(options: EventLogTransportOptions) {
    super();
    this.options = options;
  }

  async listen(ready: (error?: unknown) => void): Promise<void> {
    try {
      for (const [topic, handler] of this.messageHandlers) {
        const subscription = await this.options.eventLog.subscribe({
          ...this.options,
          topic,
          onBatch: async (batch: LogBatch) => {
            const result: unknown = await handler(batch);
            if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
          },
        });
        subscription.failed.catch(this.options.onFailed);
        this.subscriptions.push(subscription);
      }
      ready();
    } catch (error) {
      ready(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.stop()));
  }

  on(): void {} // no events of its own

  unwrap<T>(): T {
    throw new Error('the event log has no client of its own to hand out');
  }
}
