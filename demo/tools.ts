const perUnit = (unitPrice: string) => ({ type: 'per_unit', unit_price_usd: unitPrice });

const price = {
  currency: 'usd',
  charges: [
    { name: 'Calls', metric: { type: 'calls' }, model: perUnit('0.001') },
    { name: 'Context tokens', metric: { type: 'metadata_sum', key: 'context_tokens' }, model: perUnit('0.00003') },
    { name: 'Generated tokens', metric: { type: 'metadata_sum', key: 'generated_tokens' }, model: perUnit('0.00015') },
  ],
};

/** The tools that the builder registers. */
export const tools = [
  { slug: 'code', name: 'Code completion', price },
  { slug: 'conversation', name: 'Conversation', price },
];
