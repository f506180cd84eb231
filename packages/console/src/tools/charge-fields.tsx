import { Button, Card, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ChargeDraft, emptyTier, type MetricType, type ModelType } from './price-draft.ts';

const metrics = [
  { value: 'calls', label: 'Each call' },
  { value: 'duration_ms', label: 'Each millisecond' },
  { value: 'metadata_sum', label: 'What calls report' },
];
const models = [
  { value: 'per_unit', label: 'The same for each' },
  { value: 'package', label: 'By package' },
  { value: 'graduated', label: 'In steps' },
  { value: 'volume', label: 'By volume' },
];

const placeholders = { key: 'tokens', perCall: '1', size: '1000', price: '0.002', free: '0' } as const;

interface Charged {
  readonly charge: ChargeDraft;
  readonly onChange: (charge: ChargeDraft) => void;
  /** Absent: it is the only one. */
  readonly onRemove?: () => void;
  /** Finds what the service says of a field of this charge. */
  readonly errorOf: (pointer: string) => string | undefined;
}

export function ChargeFields({ charge, onChange, onRemove, errorOf }: Charged): ReactNode {
  const text = (name: 'key' | 'perCall' | 'size' | 'price' | 'free', label: string, error?: string) => (
    <TextInput
      label={label}
      placeholder={placeholders[name]}
      value={charge[name]}
      onChange={(event) => onChange({ ...charge, [name]: event.currentTarget.value.trim() })}
      error={error}
    />
  );
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <TextInput
            label="Name on the invoice"
            placeholder="per use"
            value={charge.name}
            onChange={(event) => onChange({ ...charge, name: event.currentTarget.value })}
            error={errorOf('/name')}
          />
          <NativeSelect
            label="It is paid for"
            data={metrics}
            value={charge.metric}
            onChange={(event) => onChange({ ...charge, metric: event.currentTarget.value as MetricType })}
          />
          <NativeSelect
            label="Price model"
            data={models}
            value={charge.model}
            onChange={(event) => onChange({ ...charge, model: event.currentTarget.value as ModelType })}
          />
          {charge.metric === 'metadata_sum' && text('key', 'Metadata key', errorOf('/metric'))}
          {charge.metric !== 'calls' && text('perCall', 'Of it in one call, for the example')}
          {charge.model === 'package' && text('size', 'Size of a package', errorOf('/model/size'))}
          {(charge.model === 'per_unit' || charge.model === 'package') &&
            text(
              'price',
              charge.model === 'package' ? 'US dollars per package' : 'US dollars for each',
              errorOf('/model'),
            )}
          {text('free', 'Free in a month', errorOf('/free_quantity'))}
        </SimpleGrid>
        {(charge.model === 'graduated' || charge.model === 'volume') && (
          <Tiers charge={charge} onChange={onChange} errorOf={errorOf} />
        )}
        {onRemove !== undefined && (
          <Group>
            <Button variant="default" onClick={onRemove}>
              Remove charge
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

function Tiers({ charge, onChange, errorOf }: Omit<Charged, 'onRemove'>): ReactNode {
  const { tiers } = charge;
  const last = tiers.length - 1;
  const set = (index: number, change: object) =>
    onChange({ ...charge, tiers: tiers.map((tier, place) => (place === index ? { ...tier, ...change } : tier)) });
  return (
    <Stack gap="xs" role="group" aria-label="Steps">
      {tiers.map(({ upTo, unit, flat }, index) => (
        <SimpleGrid key={index} cols={3}>
          <TextInput
            label={index === last ? 'And all above' : 'Up to'}
            value={index === last ? '' : upTo}
            disabled={index === last}
            onChange={(event) => set(index, { upTo: event.currentTarget.value.trim() })}
            error={errorOf(`/model/tiers/${index}/up_to`)}
          />
          <TextInput
            label="US dollars for each"
            value={unit}
            onChange={(event) => set(index, { unit: event.currentTarget.value.trim() })}
            error={errorOf(`/model/tiers/${index}/unit_price_usd`)}
          />
          <TextInput
            label="And once"
            placeholder="0"
            value={flat}
            onChange={(event) => set(index, { flat: event.currentTarget.value.trim() })}
            error={errorOf(`/model/tiers/${index}/flat_price_usd`)}
          />
        </SimpleGrid>
      ))}
      <Group>
        <Button variant="default" onClick={() => onChange({ ...charge, tiers: [emptyTier, ...tiers] })}>
          Add step
        </Button>
        {tiers.length > 1 && (
          <Button variant="default" onClick={() => onChange({ ...charge, tiers: tiers.slice(1) })}>
            Remove first step
          </Button>
        )}
      </Group>
    </Stack>
  );
}
