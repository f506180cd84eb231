import { AppError } from '@tollgate/kernel/app-error';
import { judgeAddress } from '@tollgate/runtime/outgoing/judge-address';
import { OutgoingError } from '@tollgate/runtime/outgoing/outgoing-error';
import { readTarget } from '@tollgate/runtime/outgoing/read-target';

/**
 * Throws `webhook_url_refused` for an address that no call would ever go to, so that its owner learns of it at once. A name
 * is judged by its addresses, at each call.
 */
export function judgeUrl(url: string, { allowsLoopback }: { readonly allowsLoopback: boolean }): void {
  const { isTls, hostname, isLiteral } = readOrRefuse(url);
  const reach = isLiteral ? judgeAddress(hostname) : isLocalName(hostname) ? 'loopback' : 'public';
  const isHere = reach === 'loopback' && allowsLoopback;
  if (!isTls && !isHere) throw refused('The address does not begin with https://.');
  if (reach !== 'public' && !isHere) throw refused('The address does not lead to the public Internet.');
}

function readOrRefuse(url: string) {
  try {
    return readTarget(url);
  } catch (error) {
    throw error instanceof OutgoingError ? refused(error.message) : error;
  }
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

function refused(message: string): AppError {
  return new AppError('webhook_url_refused', message);
}
