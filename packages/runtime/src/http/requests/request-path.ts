export interface RequestPath {
  /** Without the query, and still percent-encoded: routes are matched like this. */
  readonly text: string;
  readonly isMalformed: boolean;
}

/** The path of a request target. It drops scheme and host of absolute targets, which proxies send. */
export function pathOfTarget(target: string): RequestPath {
  const withoutHost = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const end = withoutHost.search(/[?#]/);
  const text = end === -1 ? withoutHost : withoutHost.slice(0, end);
  return { text: text === '' ? '/' : text, isMalformed: text.includes('%') && !isDecodable(text) };
}

function isDecodable(text: string): boolean {
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}
