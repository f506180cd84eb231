/** Marks in a template of a body. The load puts a value in place of each, anew in each request. */
export const marks = {
  /** A key that no other request has. */
  key: '<key>',
  /** The time of the second. */
  time: '<time>',
  /** The authorization of the API key that sends the request. */
  authorization: '<authorization>',
  /** How many requests this API key sent before, as a number of four places. */
  call: '<call>',
} as const;

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

/** The same event for a load generator. */
export function eventTemplate(toolId: string): string {
  return eventBody(toolId, marks.key, marks.time);
}

/** The same event as one call of an authorized book. */
export function captureTemplate(toolId: string): string {
  const capture = `,"authorization_id":"${marks.authorization}","call_index":${marks.call}}`;
  return eventTemplate(toolId).replace(/\}$/, capture);
}

/** One call is authorized, for five seconds. */
export function askTemplate(toolId: string): string {
  return JSON.stringify({ tool_id: toolId, ttl_seconds: 5, idempotency_key: marks.key });
}
