/** A command that cannot do what was asked: one line for the person who typed it, exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
