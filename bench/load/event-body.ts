const keyMark = '\u0001';
const timeMark = '\u0002';

/** The event that all load sends, as JSON; with key and time, for an event without them costs a quarter less. */
export function eventBody(toolId: string, key: string, timestamp: string): string {
  return JSON.stringify({
    tool_id: toolId,
    duration_ms: 120,
    success: true,
    metadata: { model: 'large', region: 'eu-central-1', tokens: 1284 },
    idempotency_key: key,
    timestamp,
  });
}

/** The same event as the text before its key, before its time, and after: for a load generator that is no JavaScript. */
export function cutAtKeyAndTime(toolId: string): readonly [string, string, string] {
  const text = eventBody(toolId, keyMark, timeMark);
  const [beforeKey = '', rest = ''] = text.split(JSON.stringify(keyMark).slice(1, -1));
  const [beforeTime = '', end = ''] = rest.split(JSON.stringify(timeMark).slice(1, -1));
  return [beforeKey, beforeTime, end];
}
