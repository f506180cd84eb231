import { queryOptions } from '@tanstack/react-query';
import type { OperationId } from '@tollgate/sdk/edge';
import { type Asked, call } from '../api/call.ts';

const lookAgainMs = 15_000;

/** A question to the API by the token of an embed, asked again while the page is looked at. */
export function askEmbed<Id extends OperationId>(
  token: string,
  id: Id,
  filling: { readonly path?: Readonly<Record<string, string>>; readonly query?: Asked<Id> } = {},
) {
  return queryOptions({
    queryKey: [id, filling], // without the token, which stands nowhere but in the request
    queryFn: ({ signal }) => call(id, { ...filling, signal, token }),
    refetchInterval: lookAgainMs,
  });
}
