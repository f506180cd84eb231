/** The command cannot do its work. The message is one line for the person who typed the command; the exit code is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
