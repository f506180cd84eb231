/** Host names alone: a policy of frames is a line of words, and an address may have characters that end a word. */
const named = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/;
const loopback = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+)(?::\d{1,5})?$/;
const originLengthMax = 200;

/** The one spelling of an origin whose pages may frame ours. Undefined for all else, also for an address with a path. */
export function canonicalOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || text.length > originLengthMax) return undefined;
  const { origin, href } = url;
  const isWhole = href === `${origin}/` && !/[?#]/.test(text);
  return isWhole && (named.test(origin) || loopback.test(origin)) ? origin : undefined;
}
