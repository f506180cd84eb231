import { Button, Checkbox, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChargeFields } from './charge-fields.tsx';
import { emptyCharge, exampleQuantities, type PriceDraft, toPriceInput } from './price-draft.ts';
import { PricePreview } from './price-preview.tsx';

interface Edited {
  readonly draft: PriceDraft;
  readonly onChange: (draft: PriceDraft) => void;
  /** Finds what the service says of a part of the price, by its JSON pointer below the price. */
  readonly errorOf: (pointer: string) => string | undefined;
}

/** A price by its charges, with what it comes to. Without charges the tool is free. */
export function PriceEditor({ draft, onChange, errorOf }: Edited): ReactNode {
  const { charges } = draft;
  const set = (changed: PriceDraft['charges']) => onChange({ ...draft, charges: changed });
  const isTyped = charges.every(({ price, tiers, model }) =>
    model === 'per_unit' || model === 'package' ? price !== '' : tiers.every(({ unit }) => unit !== ''),
  );
  return (
    <Stack>
      {charges.map((charge, index) => (
        <div key={index}>
          <ChargeFields
            charge={charge}
            onChange={(changed) => set(charges.with(index, changed))}
            onRemove={() => set(charges.toSpliced(index, 1))}
            errorOf={(pointer) => errorOf(`/charges/${index}${pointer}`)}
          />
        </div>
      ))}
      <Group>
        <Button variant="default" onClick={() => set([...charges, emptyCharge])}>
          {charges.length === 0 ? 'Charge for it' : 'Add charge'}
        </Button>
        <Checkbox
          label="Failed calls are billed, too"
          checked={draft.billFailed}
          onChange={(event) => onChange({ ...draft, billFailed: event.currentTarget.checked })}
        />
      </Group>
      <PricePreview price={isTyped ? toPriceInput(draft) : null} quantities={exampleQuantities(draft)} />
    </Stack>
  );
}
