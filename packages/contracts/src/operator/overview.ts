import { z } from 'zod';
import { periodSchema } from '../forms/period.ts';
import { isoTimeSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

const count = (description: string) => z.int().min(0).meta({ description });
const usd = (description: string) => z.number().meta({ description: `${description} Up to six decimals.` });

const waitingSchema = z
  .object({
    count: count('How many wait.'),
    oldest_at: isoTimeSchema.nullable().meta({ description: 'Since when the oldest waits; null if there is none.' }),
  })
  .meta({ id: 'OperatorWaiting' });

export const dueWorkKinds = ['charge', 'transfer', 'past_due', 'payout_day'] as const;

const bytes = (description: string) => z.int().min(0).meta({ description });

const machineSchema = z
  .object({
    certificate: z
      .object({
        ends_at: isoTimeSchema.meta({ description: 'When the certificate that PUBLIC_URL shows ends.' }),
        ends_soon: z.boolean().meta({ description: 'Within 14 days, or it has ended.' }),
      })
      .nullable()
      .meta({ description: 'Null: PUBLIC_URL has no TLS, or has not answered yet.' }),
    disk: z
      .object({
        free_bytes: bytes('Room that is left.'),
        size_bytes: bytes('Size of the disk.'),
        full_at: isoTimeSchema.nullable().meta({
          description: 'When it is full at the rate of the last day; null while it does not fill.',
        }),
        full_soon: z.boolean().meta({ description: 'Within three days.' }),
      })
      .nullable()
      .meta({ description: 'The disk of the data folder; null where the database is a server’s.' }),
  })
  .meta({ id: 'OperatorMachine', description: 'Times are those of the machine, which no sandbox clock moves.' });

export const operatorOverviewSchema = z
  .object({
    now: isoTimeSchema.meta({ description: 'The time by which this was read: in the sandbox, that of its clock.' }),
    today: z
      .object({
        starts_at: isoTimeSchema.meta({ description: 'The beginning of the day (UTC).' }),
        calls: count('The calls that were counted for this day so far.'),
        failed_calls: count('Those with `success: false`.'),
      })
      .meta({ id: 'OperatorToday' }),
    month: z
      .object({
        period: periodSchema,
        calls: count('The calls that were counted for this month so far.'),
        failed_calls: count('Those with `success: false`.'),
        collected_usd: usd('Money that the processor collected this month.'),
        platform_fees_usd: usd('Platform fees that were earned this month, less those that refunds took back.'),
      })
      .meta({
        id: 'OperatorMonth',
        description: 'Money is booked when it moves: calls of a month are paid after its close.',
      }),
    counting: z
      .object({
        counted_through: isoTimeSchema
          .nullable()
          .meta({ description: 'The watermark: all before this time is counted. Null while nothing is counted.' }),
        lag_seconds: z.number().min(0).nullable().meta({ description: 'How far counting is behind `now`.' }),
        last_hour: z
          .array(
            z
              .object({
                starts_at: isoTimeSchema.meta({ description: 'When the minute begins, by the clock of the machine.' }),
                lag_seconds: z.number().min(0).meta({ description: 'The largest lag of the minute.' }),
              })
              .meta({ id: 'OperatorLagMinute' }),
          )
          .meta({
            description:
              'The last hour by its minutes, the oldest first. It begins anew with the process that answers; minutes without a reading are left out.',
          }),
      })
      .meta({ id: 'OperatorCounting' }),
    due_work: z
      .array(
        z
          .object({
            kind: z.enum(dueWorkKinds).meta({ description: 'What is to be done.' }),
            due_at: isoTimeSchema.meta({ description: 'Since when the oldest work of this kind is due.' }),
          })
          .meta({ id: 'OperatorDueWork' }),
      )
      .meta({ description: 'Work that is due and not done, the oldest of each kind. Empty: nothing waits.' }),
    due_period: periodSchema.nullable().meta({ description: 'The oldest month that is due and not closed.' }),
    unknown_outcomes: waitingSchema.meta({ description: 'Orders at the processor whose outcome is not known.' }),
    waiting_webhooks: waitingSchema.meta({ description: 'Webhooks of the processor that are not applied yet.' }),
    dead_letters: waitingSchema.meta({ description: 'Records that were not counted, and not replayed.' }),
    unclosed_consumers: count('Consumers whose invoice failed.'),
    held_invoices: count('Invoices that wait for a confirmation.'),
    failing_payouts: count('Payouts that have failed for long.'),
    open_disputes: count('Disputes without a decision.'),
    machine: machineSchema,
    ledger_differences: z.int().min(0).nullable().meta({
      description: 'Checks that did not hold in the last nightly check of the ledger; null before the first one.',
    }),
  })
  .meta({ id: 'OperatorOverview' });

export type OperatorOverview = z.infer<typeof operatorOverviewSchema>;

export const overviewRoutes: readonly Route[] = [
  {
    service: 'billing',
    access: 'operator',
    tag: 'Operator',
    operationId: 'getOverview',
    method: 'GET',
    path: '/v1/operator/overview',
    summary: 'Get the state of the platform',
    description:
      'Calls and money of today and this month, what waits or is unknown, and how long certificate and disk last.',
    responses: { 200: { description: 'The state now.', schema: operatorOverviewSchema } },
    errors: [],
  },
];
