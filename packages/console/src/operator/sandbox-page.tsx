import { Checkbox, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isMissing } from '../api/problem.ts';
import { sumAgainMs } from '../api/queries.ts';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Confirm } from '../patterns/confirm.tsx';
import { Empty } from '../patterns/empty.tsx';
import { Facts } from '../patterns/facts.tsx';
import classes from '../patterns/figures.module.css';
import { amountOf, textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';
import { askOperator, callOperator, type OperatorSchemas } from './operator-api.ts';

type Clock = OperatorSchemas['Clock'];
type Failure = OperatorSchemas['SandboxFailure'];

/** The clock that closes months at once, and the failures that money is to meet. */
export function SandboxPage(): ReactNode {
  const clock = useQuery({ ...askOperator('getClock'), refetchInterval: sumAgainMs });
  if (isMissing(clock.error)) return <NoSandbox />;
  return (
    <Page title="Sandbox">
      <Section title="Clock">
        <Loaded of={clock}>{(state) => <ClockState clock={state} />}</Loaded>
      </Section>
      <Section title="Failures to come">
        <Failures />
      </Section>
    </Page>
  );
}

function NoSandbox(): ReactNode {
  return (
    <Page title="Sandbox">
      <Empty title="This platform has a real payment processor.">
        <Text>Its time cannot be moved, and no failure can be scripted.</Text>
      </Empty>
    </Page>
  );
}

function ClockState({ clock }: { readonly clock: Clock }): ReactNode {
  const { now, frozen, worked_through: through } = clock;
  const isWorking = through !== null && frozen && Date.parse(through) < Date.parse(now);
  return (
    <Stack>
      <Facts
        facts={{
          'It is': <Time at={now} />,
          Runs: frozen ? 'no, it stands still' : 'yes',
          'Work is done through': <Time at={through} otherwise="it was never moved" />,
        }}
      />
      {isWorking && <progress className={classes.meter} aria-label="Doing the work that became due" />}
      <MoveClock />
    </Stack>
  );
}

function MoveClock(): ReactNode {
  const client = useQueryClient();
  function move(fields: FormData) {
    const frozen = fields.has('frozen');
    return callOperator('moveClock', { body: { now: utcOf(textOf(fields, 'now')), frozen } });
  }
  return (
    <Form submit="Move clock" send={move} onDone={() => void client.invalidateQueries()}>
      {(errorOf) => (
        <>
          <TextInput
            name="now"
            type="datetime-local"
            maw={420}
            label="Move it to (UTC)"
            description="Months, payout days and deadlines until then come due at once. It never goes back."
            error={errorOf('/now')}
          />
          <Checkbox name="frozen" label="Let it stand still then" />
        </>
      )}
    </Form>
  );
}

/** The field has no zone; its label says UTC. What is no time is sent as it is, and the service says so. */
function utcOf(local: string): string {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local) ? `${local}:00Z` : local;
}

const columns: readonly Column<Failure>[] = [
  { title: 'Order', cell: ({ on }) => on },
  { title: 'Failure', cell: ({ failure }) => inWords(failure) },
  { title: 'Times', isFigure: true, cell: ({ times }) => <Quantity of={times} /> },
  { title: 'Of', cell: ({ invoice_id: invoice, payout_id: payout }) => invoice ?? payout ?? 'any' },
];

function Failures(): ReactNode {
  const failures = useQuery(askOperator('listFailures'));
  return (
    <>
      <Loaded of={failures}>
        {(page) =>
          page.total === 0 ? (
            <Text>None: each order succeeds.</Text>
          ) : (
            <>
              <DataTable label="Failures to come" columns={columns} rows={page.failures} keyOf={({ id }) => id} />
              <div>
                <Confirm label="Clear failures" act={() => callOperator('clearFailures')}>
                  <Text>Orders succeed again. Failures that happened keep their effects.</Text>
                </Confirm>
              </div>
            </>
          )
        }
      </Loaded>
      <ScriptFailure key={failures.data?.total} />
    </>
  );
}

// The compiler refuses these lists when the service adds a kind.
const orders: Record<Failure['on'], true> = { charge: true, refund: true, transfer: true };
const kinds: Record<Failure['failure'], true> = {
  decline: true,
  timeout_before_effect: true,
  timeout_after_effect: true,
  delay: true,
  expired_card: true,
  authentication_required: true,
  insufficient_funds: true,
  reverse_later: true,
};
const inWords = (kind: string) => kind.replaceAll('_', ' ');
const kindOptions = Object.keys(kinds).map((value) => ({ value, label: inWords(value) }));

function ScriptFailure(): ReactNode {
  const client = useQueryClient();
  function script(fields: FormData) {
    const body = { on: textOf(fields, 'on'), failure: textOf(fields, 'failure'), times: amountOf(fields, 'times') };
    return callOperator('scriptFailure', { body });
  }
  return (
    <Form submit="Script failure" send={script} onDone={() => void client.invalidateQueries()}>
      {(errorOf) => (
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <NativeSelect name="on" label="The next orders of" data={Object.keys(orders)} error={errorOf('/on')} />
          <NativeSelect name="failure" label="Fail by" data={kindOptions} error={errorOf('/failure')} />
          <TextInput name="times" label="Times" inputMode="numeric" defaultValue="1" error={errorOf('/times')} />
        </SimpleGrid>
      )}
    </Form>
  );
}
