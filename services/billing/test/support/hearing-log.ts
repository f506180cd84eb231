import { createLogger, type Logger } from '@tollgate/runtime/logging/create-logger';

export interface HearingLog {
  readonly log: Logger;
  /** The lines so far whose message contains this text. */
  readonly heard: (text: string) => Record<string, unknown>[];
}

/** A log whose lines a test can read. */
export function hearingLog(): HearingLog {
  const lines: (Record<string, unknown> & { msg: string })[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const log = createLogger({ name: 'billing-test', level: 'info', destination: { write } });
  return { log, heard: (text) => lines.filter(({ msg }) => msg.includes(text)) };
}
