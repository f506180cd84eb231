import type { Refusal } from '@tollgate/sdk/calls';

/** The answer to a refused request: a problem document (RFC 9457), with the code of Tollgate's own refusal. */
export function toProblem(refusal: Refusal): { status: number; headers: Record<string, string>; body: string } {
  const status = statusOf(refusal.code);
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  if (status === 503) headers['retry-after'] = '1';
  return { status, headers, body: JSON.stringify({ type: 'about:blank', title: titles[status], status, ...refusal }) };
}

const titles: Readonly<Record<number, string>> = {
  402: 'Payment required',
  403: 'Forbidden',
  503: 'Service unavailable',
};

function statusOf(code: string): number {
  switch (code) {
    case 'payment_required':
    case 'spending_cap_reached':
    case 'approval_required':
      return 402;
    case 'gate_unavailable':
      return 503;
    default:
      return 403;
  }
}
