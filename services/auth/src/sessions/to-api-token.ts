import type { AccessToken } from '@tollgate/contracts/accounts/accounts';
import type { TokenAnswer } from './access-token.ts';

export function toApiToken({ accessToken, expiresInSeconds }: TokenAnswer): AccessToken {
  return { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds };
}
