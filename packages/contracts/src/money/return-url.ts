import { z } from 'zod';
import { codePointLength } from '@tollgate/kernel/text';

const lengthMax = 2_048;
/** Host names and addresses. Other characters in a URL's host could break out of a header or a policy. */
const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])$/;
const ownMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address to which a browser is sent back. The value is the checked URL as the URL standard writes it, so that
 * every later reader understands it alike.
 */
export const returnUrlSchema = z
  .string()
  .transform((text, context) => {
    const read = readReturnUrl(text);
    if (!('problem' in read)) return read.href;
    context.issues.push({ code: 'custom', input: text, message: read.problem, params: { code: read.code } });
    return z.NEVER;
  })
  .meta({
    description:
      'The address to which the browser returns: `https`, or `http` on `localhost`, `127.0.0.1` or `[::1]`; without credentials.',
    format: 'uri',
    maxLength: lengthMax,
    pattern: String.raw`^(https://[^/]|http://(localhost|127\.0\.0\.1|\[::1\])([:/?#]|$))`,
    examples: ['https://example.com/billing'],
  });

type Read = { readonly href: string } | Problem;

interface Problem {
  readonly code: string;
  readonly problem: string;
}

function readReturnUrl(text: string): Read {
  const url = URL.parse(text);
  if (codePointLength(text) > lengthMax || (url?.href.length ?? 0) > lengthMax) return tooLong;
  // URL parsers repair blanks, control characters and backslashes, each in its own way. With a third slash they take the first part of the path for the host.
  if (!url || /[\s\p{Cc}\\]|^[a-z]+:\/{3}/iu.test(text))
    return { code: 'invalid_url', problem: 'must be an absolute URL' };
  return problemOf(url, text) ?? { href: url.href };
}

const tooLong = { code: 'too_long', problem: `must have at most ${lengthMax} characters, escapes included` };

function problemOf(url: URL, text: string): Problem | undefined {
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && ownMachine.has(url.hostname));
  if (!isSafe || !/^https?:\/\//i.test(text))
    return { code: 'invalid_scheme', problem: 'must be https; http only for localhost, 127.0.0.1 and [::1]' };
  if (url.username !== '' || url.password !== '') return { code: 'credentials', problem: 'must hold no credentials' };
  if (!plainHost.test(url.hostname)) return { code: 'invalid_host', problem: 'must have a plain host name or address' };
  return undefined;
}
