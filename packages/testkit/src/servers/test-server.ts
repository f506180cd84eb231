/** A server that a test may harm. Clients see no difference between a container and a process. */
export interface TestServer {
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it after `kill`, on the same ports and data. Resolves when it is ready. */
  start(): Promise<void>;
  /** Its connections stay open, but it answers nothing. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Removes it with its data. */
  destroy(): Promise<void>;
}
