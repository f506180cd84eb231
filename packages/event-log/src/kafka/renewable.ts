interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

export interface Renewable<C extends Client> {
  /** Connected; made when first asked for. */
  get(): Promise<C>;
  /** Lets go of this one for good: who asks next gets a new one. What is still on its way with it may yet arrive. */
  drop(): void;
  close(): Promise<void>;
}

/** A client that is thrown away after an error: what state kafkajs is in then, nobody can tell. */
export function createRenewable<C extends Client>(make: () => C): Renewable<C> {
  let current: { readonly client: C; readonly connected: Promise<void> } | undefined;

  function drop(): void {
    current?.client.disconnect().catch(() => undefined); // not waited for: it waits for answers that may never come
    current = undefined;
  }

  return {
    async get() {
      if (current === undefined) {
        const client = make();
        const made = (current = { client, connected: client.connect() });
        // One that was let go of meanwhile takes its time to fail, and must not cost its successor.
        made.connected.catch(() => current === made && drop());
      }
      const { client, connected } = current;
      await connected;
      return client;
    },
    drop,
    async close() {
      const last = current;
      current = undefined;
      await last?.client.disconnect().catch(() => undefined); // it was on its way out
    },
  };
}
