/** Ends the demo for a reason that a person understands. It is printed in one line, without a stack. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
