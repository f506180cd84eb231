/** A start that a person can mend: the message is one line, says what is wrong and what to do, and needs no stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
