import type { Route } from '../routes/route.ts';
import { unreachable } from '@tollgate/kernel/unreachable';

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token, from register, login or refresh. It expires after `expires_in` seconds.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key (`tg_live_…`). It works wherever an access token does, but not for managing keys and sessions. A limited key opens what its `can` names: `events` records, authorizes and reads its authorizations, `read` opens GET and makes embeds, `manage` all other changes.',
  },
  pass: {
    type: 'http',
    scheme: 'bearer',
    description: 'A pass (`tg_pass_…`). It opens the routes that name it, and no others.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of the operator: `OPERATOR_TOKEN`, or a named one.',
  },
} as const;

/** Any one of these opens the route; none needed is an empty list. */
export function securityOf({
  access,
  admitsPass,
}: Pick<Route, 'access' | 'admitsPass'>): readonly SecurityRequirement[] {
  switch (access) {
    case 'public':
      return [];
    case 'account':
      return [{ accessToken: [] }, { apiKey: [] }, ...(admitsPass === true ? [{ pass: [] }] : [])];
    case 'pass':
      return [{ pass: [] }];
    case 'session':
    case 'refresh':
      return [{ accessToken: [] }];
    case 'operator':
      return [{ operatorToken: [] }];
    default:
      return unreachable(access);
  }
}
