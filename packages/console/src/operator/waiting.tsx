import type { ReactNode } from 'react';
import { TextLink } from '../patterns/links.tsx';
import type { OperatorSchemas } from './operator-api.ts';

type Overview = OperatorSchemas['OperatorOverview'];

/** Something of the platform that is not done, or not known. */
export interface Waiting {
  readonly name: string;
  readonly link: ReactNode;
  /** Undefined where it is not counted. */
  readonly count: number | undefined;
  readonly since: string | null;
  /** A person has to look at it. All else goes on by itself. */
  readonly isWrong: boolean;
}

const dueWork: Readonly<Record<Overview['due_work'][number]['kind'], string>> = {
  charge: 'Invoices to charge',
  transfer: 'Payouts to transfer',
  past_due: 'Invoices to mark as past due',
  payout_day: 'A payout day to be done',
};

/** Names everything that waits; an empty list is a quiet day. */
export function waitingOf(state: Overview): readonly Waiting[] {
  const rows = [
    counted(
      'Orders of unknown outcome',
      state.unknown_outcomes,
      <TextLink to="/operator/unknown-outcomes">Orders of unknown outcome</TextLink>,
    ),
    {
      ...counted('Dead letters', state.dead_letters, <TextLink to="/operator/dead-letters">Dead letters</TextLink>),
      isWrong: true,
    },
    counted('Webhooks of the processor', state.waiting_webhooks, 'Webhooks of the processor to apply'),
    wrong(
      'Consumers without their invoice',
      state.unclosed_consumers,
      <TextLink to="/operator/period">Consumers without their invoice</TextLink>,
    ),
    wrong(
      'Invoices to confirm',
      state.held_invoices,
      <TextLink to="/operator/invoices" search={{ held: 'true' }}>
        Invoices to confirm
      </TextLink>,
    ),
    wrong(
      'Payouts that fail',
      state.failing_payouts,
      <TextLink to="/operator/payouts" search={{ status: 'failed' }}>
        Payouts that fail
      </TextLink>,
    ),
    wrong('Open disputes', state.open_disputes, 'Open disputes: answer them at the processor'),
    wrong(
      'Differences in the ledger',
      state.ledger_differences ?? 0,
      <TextLink to="/operator/reconcile">Differences in the ledger</TextLink>,
    ),
  ];
  const waits = [...state.due_work.map(toDue), ...duePeriod(state.due_period)];
  return [...rows.filter(({ count }) => count !== 0), ...ofMachine(state.machine), ...waits];
}

function ofMachine({ certificate, disk }: Overview['machine']): readonly Waiting[] {
  const look = { count: undefined, since: null, isWrong: true };
  return [
    ...(certificate?.ends_soon === true
      ? [{ ...look, name: 'certificate', link: 'A certificate to renew: the proxy that renews it says why it did not' }]
      : []),
    ...(disk?.full_soon === true
      ? [{ ...look, name: 'disk', link: 'A disk that is full within three days: give it more room' }]
      : []),
  ];
}

type Since = Overview['unknown_outcomes'];

function counted(name: string, { count, oldest_at: since }: Since, link: ReactNode): Waiting {
  return { name, link, count, since, isWrong: false };
}

function wrong(name: string, count: number, link: ReactNode): Waiting {
  return { name, link, count, since: null, isWrong: true };
}

function toDue({ kind, due_at: since }: Overview['due_work'][number]): Waiting {
  return { name: kind, link: dueWork[kind], count: undefined, since, isWrong: false };
}

function duePeriod(period: string | null): readonly Waiting[] {
  if (period === null) return [];
  const link = (
    <TextLink to="/operator/period" search={{ period }}>
      The close of {period}
    </TextLink>
  );
  return [{ name: 'close', link, count: undefined, since: null, isWrong: false }];
}
