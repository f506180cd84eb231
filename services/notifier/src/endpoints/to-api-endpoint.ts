import type { ApiWebhookEndpoint } from '@tollgate/contracts/webhooks/webhook-endpoints';
import { toIso } from '@tollgate/kernel/clock';
import type { Endpoint } from './endpoint.ts';

export function toApiEndpoint(endpoint: Endpoint): ApiWebhookEndpoint {
  const { endpointId, url, types, description, disabledFor, failingSinceMs, createdAtMs } = endpoint;
  return {
    id: endpointId,
    url,
    types: types && [...types],
    description,
    enabled: disabledFor === null,
    disabled_reason: disabledFor,
    failing_since: failingSinceMs === null ? null : toIso(failingSinceMs),
    created_at: toIso(createdAtMs),
  };
}
