import type pg from 'pg';

const answerWithinMs = 1_000;

/**
 * Behind a half-open link all connections are dead, and each would cost its next user a time-out. So after a time-out
 * on one connection we query all idle connections at once, and close those that do not answer.
 */
export function leaveSilentConnections(pool: pg.Pool): void {
  let isProbing = false;
  pool.on('release', (error: unknown) => {
    if (!isProbing && isSilence(error)) void probeIdle();
  });

  async function probeIdle(): Promise<void> {
    isProbing = true;
    await Promise.all(Array.from({ length: pool.idleCount }, probeOne));
    isProbing = false;
  }

  async function probeOne(): Promise<void> {
    const client = await pool.connect().catch(() => undefined);
    if (client === undefined) return; // the server is away, or the pool ends
    client.on('error', ignoreLoss); // without a listener, its loss during the probe would end the process
    const probe = { text: 'select 1', query_timeout: answerWithinMs };
    const failure = await client.query(probe).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : true),
    );
    client.off('error', ignoreLoss);
    client.release(failure);
  }
}

function ignoreLoss(): void {
  // the probe fails and reports it
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
