/** A server that a test may hurt: in a container or as a process of this machine, its clients see no difference. */
export interface TestServer {
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Again, after `kill`, on the same ports and with what it keeps. Resolves when it is ready. */
  start(): Promise<void>;
  /** Its connections stay open, it answers nothing. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Lets go of it for good, and of its data. */
  destroy(): Promise<void>;
}
