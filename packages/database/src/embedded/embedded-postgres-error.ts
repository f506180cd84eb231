/** A failed start that a person can repair. The message is one line: the problem and what to do. It needs no stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
