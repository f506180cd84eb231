import type { Session } from './session.ts';
import type { Writer } from './write-output.ts';

/** Everything that each command needs. */
export interface Context {
  readonly session: Session;
  readonly write: Writer;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
