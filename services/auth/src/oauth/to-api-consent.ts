import type { ApiConsent } from '@tollgate/contracts/accounts/consents';
import { toIso } from '@tollgate/kernel/clock';
import type { Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { hostOf } from './host-of.ts';
import type { OwnConsent } from './sql-own-consent.ts';

export function toApiConsent(consent: OwnConsent) {
  const { clientId, cap } = consent;
  return {
    id: consent.grantId,
    client_id: clientId,
    client_name: consent.clientName,
    client_host: hostOf(clientId) ?? null,
    resource: consent.resource,
    pass_id: consent.passId,
    tools: [...consent.toolIds],
    cap: cap === undefined ? null : { amount_usd: toUsdNumber(cap.amountMicros), window: cap.window },
    per_call_max_usd: orNull(consent.perCallMaxMicros, (amount: Micros) => toUsdNumber(amount)),
    approve_above_usd: orNull(consent.approveAboveMicros, (amount: Micros) => toUsdNumber(amount)),
    paused: consent.isPaused,
    created_at: toIso(consent.createdAt),
    consented_at: toIso(consent.consentedAt),
    last_token_at: orNull(consent.lastTokenAt, toIso),
    expires_at: orNull(consent.expiresAt, toIso),
  } satisfies Record<keyof ApiConsent, unknown>;
}

function orNull<Value, Shown>(value: Value | undefined, toApi: (value: Value) => Shown): Shown | null {
  return value === undefined ? null : toApi(value);
}
