import { Redis } from 'ioredis';

const reconnectEveryMs = 250;

/** Connects when it is told to, then again and again. */
export function createClient(url: string): Redis {
  return new Redis(url, {
    lazyConnect: true,
    // What cannot be sent now fails now: a request that waits for a connection has been answered long since.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false, // of its own it would leave a subscription that fails to nobody, which ends the process
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    socketTimeout: 2_000, // a connection whose other end is gone without a word is made anew
    disconnectTimeout: 200, // else a stop while Redis is away keeps the process for 2 s
    retryStrategy: () => reconnectEveryMs,
    reconnectOnError: ({ message }) => message.startsWith('READONLY'), // the address has a new master by now
  });
}
