import type { IncomingHttpHeaders } from 'node:http';

/** Each belongs to one connection: RFC 9110, 7.6.1. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** The headers that an intermediary may pass on: without those of its connection, and those that `Connection` names. */
export function endToEndHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const isPassed = (name: string): boolean => !ofConnection.has(name) && !named.includes(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isPassed(name)));
}
