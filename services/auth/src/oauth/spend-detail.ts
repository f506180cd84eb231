import { spendDetailSchema, type SpendDetail } from '@tollgate/contracts/accounts/oauth';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { errors, type AuthorizationDetail } from 'oidc-provider';
import type { Allowance } from './allowance.ts';

/** The details (RFC 9396) that a token answer shows to its client. */
export interface SpendDetails {
  readonly grantedDetails: (grantId: string | undefined) => Promise<AuthorizationDetail[] | undefined>;
}

/** Reads what a client asks for in `authorization_details`. Throws the library's error for anything else. */
export function readSpendDetail(text: unknown): SpendDetail | undefined {
  if (typeof text !== 'string') return undefined;
  const details = parseJson(text);
  if (!Array.isArray(details) || details.length !== 1) throw refused('one element of the type tollgate_spend is known');
  const parsed = spendDetailSchema.safeParse(details[0]);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused(`${issue?.path.join('.') || 'the element'} ${issue?.message}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new errors.InvalidAuthorizationDetails('authorization_details is no JSON', { cause });
  }
}

function refused(message: string): Error {
  return new errors.InvalidAuthorizationDetails(message);
}

export function toSpendDetail({
  toolIds,
  cap,
  perCallMaxMicros,
  approveAboveMicros,
}: Allowance): AuthorizationDetail[] {
  return [
    {
      type: 'tollgate_spend',
      tools: [...toolIds],
      cap: { amount_usd: toUsdNumber(cap.amountMicros), window: cap.window },
      ...(perCallMaxMicros !== undefined && { per_call_max_usd: toUsdNumber(perCallMaxMicros) }),
      ...(approveAboveMicros !== undefined && { approve_above_usd: toUsdNumber(approveAboveMicros) }),
    },
  ];
}
