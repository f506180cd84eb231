/**
 * Waits for `answer` at most `withinMs`. Returns or throws its outcome, or that of `onLate` if none came in time. A
 * later outcome is dropped.
 */
export async function within<Answer>(answer: Promise<Answer>, withinMs: number, onLate: () => Answer): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  const late = new Promise<void>((resolve) => {
    // One more turn: this process itself may be late, with the answer lying unread in its socket.
    timer = setTimeout(() => (turn = setImmediate(resolve)), withinMs);
  }).then(onLate);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    clearImmediate(turn);
  }
}
