interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

export interface Renewable<C extends Client> {
  /** The connected client; the first call makes it. */
  get(): Promise<C>;
  /** Drops the client: the next `get` makes a new client. Requests that the old client has sent may still arrive. */
  drop(): void;
  close(): Promise<void>;
}

/** A client that is replaced after an error, since nobody can tell the state of kafkajs then. */
export function createRenewable<C extends Client>(make: () => C): Renewable<C> {
  let current: { readonly client: C; readonly connected: Promise<void> } | undefined;

  function drop(): void {
    current?.client.disconnect().catch(() => undefined); // nobody awaits it: it waits for answers that may never come
    current = undefined;
  }

  return {
    async get() {
      if (current === undefined) {
        const client = make();
        const opened = (current = { client, connected: client.connect() });
        // A client that was dropped meanwhile may fail late; that must not drop its successor.
        opened.connected.catch(() => current === opened && drop());
      }
      const { client, connected } = current;
      await connected;
      return client;
    },
    drop,
    async close() {
      const last = current;
      current = undefined;
      await last?.client.disconnect().catch(() => undefined); // it would have been dropped anyway
    },
  };
}
