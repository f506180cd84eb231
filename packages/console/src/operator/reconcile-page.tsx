import { Alert, Button, Card, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import classes from '../patterns/figures.module.css';
import { textOf } from '../patterns/field.ts';
import { Loaded } from '../patterns/loaded.tsx';
import { Money, Quantity } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { askOperator, type OperatorSchemas } from './operator-api.ts';
import { stepInWords } from './step-words.ts';

type Step = OperatorSchemas['ReconcileStep'];
type Reconciliation = OperatorSchemas['Reconciliation'];

/** Compares a month from its events to the processor. */
export function ReconcilePage(): ReactNode {
  const { period, keys } = useSearch({ from: '/shell/operator/reconcile' });
  return (
    <Page title="Reconcile">
      <Text>Events, counts, invoices, ledger and processor are compared, each with the next. Nothing is changed.</Text>
      <Choice period={period} keys={keys} />
      {period !== undefined && <Comparison key={`${period} ${keys}`} period={period} keys={keys} />}
    </Page>
  );
}

interface Chosen {
  readonly period: string | undefined;
  readonly keys: string | undefined;
}

/** The month that is proposed is known before anybody types another. */
function Choice(chosen: Chosen): ReactNode {
  const overview = useQuery(askOperator('getOverview'));
  return (
    <Loaded of={overview}>
      {({ due_period: due, month }) => <ChoiceForm {...chosen} proposed={chosen.period ?? due ?? month.period} />}
    </Loaded>
  );
}

function ChoiceForm({ keys, proposed }: Chosen & { readonly proposed: string }): ReactNode {
  const navigate = useNavigate();
  function choose(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const wanted = { period: textOf(fields, 'period'), ...(fields.has('keys') && { keys: 'all' }) };
    void navigate({ to: '/operator/reconcile', search: wanted });
  }
  return (
    <form onSubmit={choose} noValidate>
      <Group align="flex-end">
        <TextInput name="period" label="Month" placeholder="2026-11" defaultValue={proposed} />
        <Checkbox name="keys" label="Compare the key of every event" defaultChecked={keys === 'all'} pb="xs" />
        <Button type="submit">Reconcile</Button>
      </Group>
    </form>
  );
}

function Comparison({ period, keys }: { readonly period: string; readonly keys: string | undefined }): ReactNode {
  const query = { period, ...(keys === 'all' && { keys: 'all' as const }) };
  const compared = useQuery({ ...askOperator('reconcile', { query }), gcTime: 0, refetchOnWindowFocus: false });
  if (compared.isFetching) return <Running period={period} />;
  return (
    <Loaded of={compared}>{(answer) => <Result answer={answer} onAgain={() => void compared.refetch()} />}</Loaded>
  );
}

/** Says for how long it has run: a month of many calls takes a while. */
function Running({ period }: { readonly period: string }): ReactNode {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const ticking = setInterval(() => setSeconds((earlier) => earlier + 1), 1_000);
    return () => clearInterval(ticking);
  }, []);
  return (
    <Stack gap="xs">
      <progress className={classes.meter} aria-label={`Comparing ${period}`} />
      <Text size="sm" role="status" aria-label="Loading">
        Comparing {period}.
      </Text>
      <Text size="sm" c="dimmed">
        For <Quantity of={seconds} unit="seconds" /> so far.
      </Text>
    </Stack>
  );
}

function Result({ answer, onAgain }: { readonly answer: Reconciliation; readonly onAgain: () => void }): ReactNode {
  const { steps, equal, period } = answer;
  const differing = steps.filter((step) => !step.equal).length;
  return (
    <Stack>
      <Alert
        color={equal ? 'green' : 'red'}
        role={equal ? 'status' : 'alert'}
        title={
          equal
            ? `All ${steps.length} steps of ${period} are equal.`
            : `${differing} of ${steps.length} steps of ${period} differ.`
        }
      >
        <Stack gap="xs" align="flex-start">
          {!equal && <Text size="sm">Money that is on its way at this moment may differ. Compare again first.</Text>}
          <Button variant="default" size="xs" onClick={onAgain}>
            Compare again
          </Button>
        </Stack>
      </Alert>
      {steps.map((step) => (
        <Compared key={step.name} step={step} />
      ))}
    </Stack>
  );
}

function Compared({ step }: { readonly step: Step }): ReactNode {
  const { name, equal, left, right, differing, rows, note } = step;
  return (
    <Card withBorder padding="sm" component="section" aria-label={stepInWords(name)}>
      <Group justify="space-between">
        <Text fw={600}>{stepInWords(name)}</Text>
        <StatusBadge status={equal ? 'equal' : 'differs'} />
      </Group>
      <Side side={left} unit={step.unit} />
      <Side side={right} unit={step.unit} />
      {note !== null && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      {differing > 0 && (
        <>
          <Text size="sm" fw={600} mt="xs">
            <Quantity of={differing} unit={differing === 1 ? 'row differs' : 'rows differ'} />. The first of them:
          </Text>
          <List size="sm">
            {rows.map((row) => (
              <List.Item key={row}>{row}</List.Item>
            ))}
          </List>
        </>
      )}
    </Card>
  );
}

function Side({ side, unit }: { readonly side: Step['left']; readonly unit: Step['unit'] }): ReactNode {
  return (
    <Text size="sm">
      {side.what}: <Quantity of={side.count} unit={side.count === 1 ? 'row' : 'rows'} />, in sum{' '}
      {unit === 'usd' ? <Money usd={side.sum} /> : <Quantity of={side.sum} unit={unit} />}
    </Text>
  );
}
