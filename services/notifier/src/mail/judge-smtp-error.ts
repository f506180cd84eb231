/** The result of a try. `reason` names no address, so that it can be logged. */
export type SmtpAnswer =
  | { readonly kind: 'accepted' }
  /** The address takes no mail, now or later. */
  | { readonly kind: 'bounced'; readonly reason: string }
  /** This mail is not wanted there, now or later. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'deferred'; readonly reason: string };

interface SmtpError {
  /** The library's, where there was no answer. */
  readonly code: string;
  /** The command that was refused. */
  readonly command: string;
  readonly status: number;
  readonly response: string;
}

const enhancedCode = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/;

/**
 * Reads the error of a try. A refusal for good says something of the address only where it is one of the recipient, and none of
 * a policy: a server that knows us no more refuses everybody, and then no account has bounced.
 */
export function judgeSmtpError(error: unknown): SmtpAnswer {
  const { code, command, status, response } = readError(error);
  const enhanced = enhancedCode.exec(response)?.[1];
  const reason = [status || code || 'no answer', enhanced, command].filter(Boolean).join(' ');
  if (status < 500) return { kind: 'deferred', reason };
  if (command === 'RCPT TO' && isOfAddress(status, enhanced)) return { kind: 'bounced', reason };
  if (command === 'DATA') return { kind: 'refused', reason };
  return { kind: 'deferred', reason }; // a login or a sender that is refused: the operator mends it
}

function readError(error: unknown): SmtpError {
  const given: Readonly<Record<string, unknown>> = typeof error === 'object' ? { ...error } : {};
  const textOf = (name: string) => (typeof given[name] === 'string' ? given[name] : '');
  const status = typeof given['responseCode'] === 'number' ? given['responseCode'] : 0;
  return { code: textOf('code'), command: textOf('command'), status, response: textOf('response') };
}

/** RFC 3463: 1 is addressing, 2.1 a mailbox that is switched off. */
function isOfAddress(status: number, enhanced: string | undefined): boolean {
  if (enhanced === undefined) return [550, 551, 553].includes(status);
  return /^5\.(?:1\.|2\.1$)/.test(enhanced);
}
