/** The groups of operations, in the order in which a newcomer needs them. */
export const tags = [
  { name: 'Accounts', description: 'Register, sign in, and keep or end sessions.' },
  { name: 'API keys', description: 'Credentials of programs. They live until they are revoked.' },
  { name: 'Tools', description: 'The catalogue: tools and their price versions.' },
  { name: 'Events', description: 'Record calls of tools, and read the counted calls.' },
  { name: 'Usage', description: 'Counts and their money, by time, tool, consumer and outcome.' },
  { name: 'Passes', description: 'Keys that a consumer hands out, each for some tools.' },
  {
    name: 'Spending',
    description: 'Budgets that are never exceeded, and authorizations: money that is held before a call is made.',
  },
  { name: 'OAuth', description: 'How clients of MCP servers get a pass: a person signs in and consents.' },
  {
    name: 'Billing',
    description: "A consumer's invoices and payment method. A builder's payout account, payouts and statements.",
  },
  {
    name: 'Webhook endpoints',
    description: 'Addresses of yours that are told what happened, and what they were told.',
  },
  { name: 'Embeds', description: 'Pages of the console that you show inside a product of yours.' },
  {
    name: 'Operator',
    description:
      'For the operator of the service, with `OPERATOR_TOKEN` or a named token. While there is no token, the answer is 404.',
  },
  {
    name: 'Sandbox',
    description: 'The sandbox processor: its clock, failures, disputes and pages. With another processor it is 404.',
  },
  { name: 'Webhooks', description: 'Notices of the payment processor. It signs each request.' },
  { name: 'Operation', description: 'Health, and this description.' },
] as const;

export type TagName = (typeof tags)[number]['name'];
