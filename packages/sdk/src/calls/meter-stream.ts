import type { CallMetadata, PaidCall } from './begin-call.ts';

export interface StreamOptions<Item> {
  /** Reads from an item what the call has come to so far. The last value that is not undefined counts. */
  readonly usage?: ((item: Item) => CallMetadata | undefined) | undefined;
  /**
   * Says what a stream costs that is cut. `delivered` (the default): the last usage, and nothing before the first item.
   * `none`: nothing. `all`: `most`, also before the first item.
   */
  readonly charge?: 'delivered' | 'none' | 'all' | undefined;
  /** The most that the call can come to, for `all`. Default: the metadata of the gate's `max`. */
  readonly most?: CallMetadata | undefined;
  /**
   * Asked at the end of the source: who cut it. For sources that end as if they were whole when they are aborted. Undefined: it is
   * whole.
   */
  readonly endedBy?: (() => StreamEnd['cutBy']) | undefined;
  /** Fires when the caller leaves. The stream then throws its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How a stream ended. */
export interface StreamEnd {
  /** Undefined: it is whole. Else `caller`: its reader stopped, or the signal fired. `builder`: its source or `usage` threw. */
  readonly cutBy: 'caller' | 'builder' | undefined;
  /** So many items were handed on. */
  readonly items: number;
}

export interface MeteredStream<Item> extends AsyncIterableIterator<Item> {
  /** Resolves when the call is settled. Never rejects. */
  readonly ended: Promise<StreamEnd>;
}

/**
 * The same stream, once, as the answer to a call. Its end or its cut ends the call, or releases it if it costs nothing:
 * whoever reads waits for that as long as for every call. No item is read before it is asked for, and a cut closes the source.
 * A call is left open if nobody reads its stream and no signal fires.
 */
export function meterStream<Item>(
  call: PaidCall,
  source: AsyncIterable<Item>,
  options: StreamOptions<Item> = {},
): MeteredStream<Item> {
  return new CallStream(call, source, options);
}

interface Waiter<Item> {
  resolve(result: IteratorResult<Item>): void;
  reject(error: unknown): void;
}

class CallStream<Item> implements MeteredStream<Item> {
  readonly ended: Promise<StreamEnd>;
  readonly #call: PaidCall;
  readonly #source: AsyncIterable<Item>;
  readonly #options: StreamOptions<Item>;
  /** Readers that wait for an item. To race each item against one promise of the cut would keep all items in memory. */
  readonly #waiters = new Set<Waiter<Item>>();
  #iterator: AsyncIterator<Item> | undefined;
  #items = 0;
  #last: CallMetadata | undefined;
  #settling: Promise<void> | undefined;
  #abortedUnread = false;
  #tellEnd: (end: StreamEnd) => void = () => undefined;

  constructor(call: PaidCall, source: AsyncIterable<Item>, options: StreamOptions<Item>) {
    this.#call = call;
    this.#source = source;
    this.#options = options;
    this.ended = new Promise((resolve) => (this.#tellEnd = resolve));
    if (options.signal?.aborted === true) this.#onAbort();
    else options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Item>> {
    if (this.#settling !== undefined) return this.#afterEnd();
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      this.#waiters.add(waiter);
      void this.#read()
        .then(resolve, reject)
        .finally(() => this.#waiters.delete(waiter));
    });
  }

  async return(value?: unknown): Promise<IteratorResult<Item>> {
    const result = { done: true, value } as const;
    if (this.#settling !== undefined) {
      await this.#settling;
      return result;
    }
    const isReading = this.#waiters.size > 0;
    const closing = this.#close();
    closing.catch(() => undefined);
    await this.#cut((waiter) => waiter.resolve({ done: true, value: undefined }));
    if (!isReading) await closing; // a source that is asked for an item may never answer
    return result;
  }

  async #read(): Promise<IteratorResult<Item>> {
    const result = await this.#pull();
    if (result.done === true) await this.#settle(this.#options.endedBy?.());
    return result;
  }

  async #pull(): Promise<IteratorResult<Item>> {
    try {
      const result = await this.#open().next();
      if (this.#settling !== undefined) return { done: true, value: undefined }; // nobody paid what comes late
      if (result.done !== true) this.#note(result.value);
      return result;
    } catch (error) {
      await this.#settle('builder');
      throw error;
    }
  }

  #note(item: Item): void {
    try {
      this.#last = this.#options.usage?.(item) ?? this.#last;
    } catch (error) {
      this.#close().catch(() => undefined); // the reader gets the error that came first
      throw error;
    }
    this.#items += 1;
  }

  async #afterEnd(): Promise<IteratorResult<Item>> {
    await this.#settling;
    if (!this.#abortedUnread) return { done: true, value: undefined };
    this.#abortedUnread = false;
    throw this.#options.signal?.reason;
  }

  readonly #onAbort = (): void => {
    this.#abortedUnread = this.#waiters.size === 0; // else an abort would look like the end
    this.#close().catch(() => undefined); // the reader gets the reason of the signal
    void this.#cut((waiter) => waiter.reject(this.#options.signal?.reason));
  };

  /** The caller leaves. Readers that wait are answered here, before `#read` goes on. */
  async #cut(answer: (waiter: Waiter<Item>) => void): Promise<void> {
    const waiters = [...this.#waiters];
    await this.#settle('caller');
    for (const waiter of waiters) answer(waiter);
  }

  async #close(): Promise<void> {
    await this.#open().return?.();
  }

  #open(): AsyncIterator<Item> {
    return (this.#iterator ??= this.#source[Symbol.asyncIterator]());
  }

  async #settle(cutBy: StreamEnd['cutBy']): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    const items = this.#items;
    this.#settling ??= this.#pay(cutBy).then(() => this.#tellEnd({ cutBy, items }));
    return this.#settling;
  }

  /** A cut that costs something is recorded as a success, since a price may bill no failed calls. */
  async #pay(cutBy: StreamEnd['cutBy']): Promise<void> {
    const { charge = 'delivered', most = this.#call.most } = this.#options;
    const isCut = cutBy !== undefined;
    if (isCut && charge === 'all') return this.#call.end({ success: true, metadata: { ...this.#last, ...most } });
    if (isCut && (charge === 'none' || this.#items === 0)) return this.#call.release();
    return this.#call.end({ success: true, metadata: this.#last });
  }
}
