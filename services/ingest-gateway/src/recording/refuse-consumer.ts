import { AppError } from '@tollgate/kernel/app-error';

/** The names under which callers try to say who pays. Neither is a field of an event. */
const names = ['consumer_id', 'consumerId'] as const;

/**
 * The refusal of an event that names another account as its consumer. Ignored, the field would book the call on the
 * sender. Undefined: the event names nobody (`null` is absence), or its sender. Events without ignored fields cost one
 * comparison.
 */
export function refuseConsumer(
  event: unknown,
  ignoredFields: readonly string[],
  accountId: string,
): AppError | undefined {
  if (ignoredFields.length === 0) return undefined;
  const fields = event as Readonly<Record<string, unknown>>; // it has ignored fields, so it is an object
  const named = names.find((name) => ignoredFields.includes(name) && !isSender(fields[name], accountId));
  if (named === undefined) return undefined;
  const message = 'must be left out: an event is charged to the account of the credential that sends it';
  const advice =
    'To record a call for another account, send it with a pass that the account gave you (`POST /v1/passes`).';
  return new AppError('consumer_not_accepted', `The field ${named} ${message}. ${advice}`, {
    errors: [{ pointer: `/${named}`, code: 'consumer_not_accepted', message }],
  });
}

function isSender(value: unknown, accountId: string): boolean {
  return value === null || value === accountId;
}
