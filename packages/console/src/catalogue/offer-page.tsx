import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { ask } from '../api/queries.ts';
import { Facts } from '../patterns/facts.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { draftOf, exampleQuantities, toPriceInput } from '../tools/price-draft.ts';
import { PricePreview } from '../tools/price-preview.tsx';
import { PriceVersions } from '../tools/price-versions.tsx';
import { priceInWords } from '../tools/price-words.ts';
import { quantityOf } from './quantity-of.ts';

type Tool = Schemas['Tool'];

/** A tool of the catalogue, with a calculator. */
export function OfferPage(): ReactNode {
  const { slug } = useParams({ from: '/shell/catalogue/$slug' });
  const tool = useQuery(ask('getTool', { path: { slug } }));
  return (
    <Loaded title="Tool" of={tool}>
      {(shown) => (
        <Page title={shown.name} actions={<ButtonLink to="/passes/new">Make a pass</ButtonLink>}>
          {shown.archived && <Text>It takes no calls any more.</Text>}
          <Facts
            facts={{
              Slug: shown.slug,
              'Sold by': shown.sold_by === null ? 'not named' : `${shown.sold_by} (not verified)`,
              Description: shown.description ?? 'none',
              Price: priceInWords(shown.price).join('; '),
              'MCP server': shown.resource ?? 'not named',
            }}
          />
          <Calculator key={shown.slug} tool={shown} />
          <PriceVersions slug={shown.slug} />
        </Page>
      )}
    </Loaded>
  );
}

/** Asks the service what a month of use comes to. */
function Calculator({ tool: { price } }: { readonly tool: Tool }): ReactNode {
  const draft = draftOf(price);
  const keys = [...new Set(draft.charges.flatMap(({ metric, key }) => (metric === 'metadata_sum' ? [key] : [])))];
  const hasDuration = draft.charges.some(({ metric }) => metric === 'duration_ms');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({ calls: '5000' });
  const field = (name: string, label: string) => (
    <TextInput
      key={name}
      label={label}
      inputMode="decimal"
      value={typed[name] ?? ''}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value.trim() })}
    />
  );
  return (
    <Section title="What a month comes to">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {field('calls', 'Calls in a month')}
        {hasDuration && field('duration', 'Milliseconds of all calls')}
        {keys.map((key) => field(`sum:${key}`, `${key} of all calls`))}
      </SimpleGrid>
      <PricePreview
        price={toPriceInput(draft)}
        quantities={[quantityOf(typed, keys), ...exampleQuantities(draft)].filter((quantity) => quantity !== null)}
      />
    </Section>
  );
}
