/** What ends the demo for a reason that a person can understand: told in one line, without a stack. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
