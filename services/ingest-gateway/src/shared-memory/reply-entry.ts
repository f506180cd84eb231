import type { FirstEvent } from '../replies/judge-repeat.ts';

export function replyKeyOf(eventId: string): string {
  return `tollgate:reply:${eventId}`;
}

export function formatReply({ bodyHash, occurredAt }: FirstEvent): string {
  return `${bodyHash} ${occurredAt}`;
}

/** Undefined for what is no reply of ours: then the event is taken as a new one, and still counted once. */
export function parseReply(entry: unknown): FirstEvent | undefined {
  const [bodyHash, occurredAt] = typeof entry === 'string' ? entry.split(' ') : [];
  return bodyHash === undefined || occurredAt === undefined ? undefined : { bodyHash, occurredAt };
}
