/**
 * What `answer` resolves to, or what `onLate` returns or throws where no answer has come within `withinMs`. An answer that
 * comes later is dropped, and so is its failure.
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
