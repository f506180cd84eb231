export interface RequestPath {
  /** Without query; still percent-encoded, as routes are matched. */
  readonly text: string;
  readonly isMalformed: boolean;
}

/** The path of a request target. Absolute targets (as proxies send them) lose scheme and host; bad escapes are marked. */
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
