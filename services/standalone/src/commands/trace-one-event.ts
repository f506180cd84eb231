import { runTrace } from '@tollgate/billing/operator';
import { traceText } from '@tollgate/kernel/trace-text';

import { withDatabase, type DatabaseChoice } from './open-database.ts';

export interface TraceChoice {
  readonly eventId: string;
  readonly json?: boolean | undefined;
}

/** `tollgate operator trace`: follows one event from its receipt to the payout. Throws if the event is not counted. */
export async function traceOneEvent({ eventId, json }: TraceChoice, choice: DatabaseChoice): Promise<string> {
  const { environment, log } = choice;
  const trace = await withDatabase(choice, ({ urlFor }) =>
    runTrace(eventId, { workerUrl: urlFor('billing_worker'), environment, log }),
  );
  return json === true ? JSON.stringify(trace, undefined, 2) : traceText(trace);
}
