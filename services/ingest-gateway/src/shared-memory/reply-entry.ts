import { parseIsoTime } from '@tollgate/contracts/forms/timestamp';
import type { FirstEvent } from '../keys/judge-repeat.ts';

export function replyKeyOf(eventId: string): string {
  return `tollgate:reply:${eventId}`;
}

export function formatReply({ bodyHash, occurredAt }: FirstEvent): string {
  return `${bodyHash} ${occurredAt}`;
}

/** Undefined for any other text: the gateway then takes the event as new, and counting counts it once all the same. */
export function parseReply(entry: unknown): FirstEvent | undefined {
  const [bodyHash = '', occurredAt = ''] = typeof entry === 'string' ? entry.split(' ') : [];
  return bodyHash === '' || parseIsoTime(occurredAt) === undefined ? undefined : { bodyHash, occurredAt };
}
