import type pg from 'pg';

const answerWithinMs = 1_000;

/**
 * Where the server said nothing in time on one connection, the idle ones are seldom better off: behind a link that has
 * gone half open all of them are dead, and each would cost its next user a time-out of its own. So they are asked at once,
 * and those that do not answer are left.
 */
export function leaveSilentConnections(pool: pg.Pool): void {
  let isAsking = false;
  pool.on('release', (error: unknown) => {
    if (!isAsking && isSilence(error)) void askIdle();
  });

  async function askIdle(): Promise<void> {
    isAsking = true;
    await Promise.all(Array.from({ length: pool.idleCount }, askOne));
    isAsking = false;
  }

  async function askOne(): Promise<void> {
    const client = await pool.connect().catch(() => undefined);
    if (client === undefined) return; // the server is away altogether, or the pool ends
    client.on('error', ignoreLoss); // unheard, its loss while it is asked would end the process
    const question = { text: 'select 1', query_timeout: answerWithinMs };
    const failure = await client.query(question).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : true),
    );
    client.off('error', ignoreLoss);
    client.release(failure);
  }
}

function ignoreLoss(): void {
  // the question is told
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
