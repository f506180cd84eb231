import type { ConnectLink, SetupLink } from '@tollgate/contracts/money/billing-account';
import { toIso } from '@tollgate/kernel/clock';
import type { HostedLink } from './processor.ts';

/** Makes the path of our own page absolute. A processor's address stays as it is. */
export function toApiConnectLink({ url, expiresAtMs }: HostedLink, ownAddress: string): ConnectLink {
  return { connect_url: new URL(url, ownAddress).href, expires_at: toIso(expiresAtMs) };
}

export function toApiSetupLink({ url, expiresAtMs }: HostedLink, ownAddress: string): SetupLink {
  return { setup_url: new URL(url, ownAddress).href, expires_at: toIso(expiresAtMs) };
}
