import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { errorCodes } from '@tollgate/kernel/error-codes';
import { eventSchema } from '../events/events.ts';
import { createOpenApiDocument } from './openapi.ts';
import { priceInputSchema } from '../tools/price-input.ts';
import { errorsOf } from '../routes/route-errors.ts';
import { takesKeyHeader, type RouteAnswer } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { spendingLimitSchema } from '../forms/problem.ts';
import { tags } from '../routes/tags.ts';

interface Answer {
  readonly headers: Record<string, { required: boolean }>;
  readonly content?: Record<string, { schema: object }>;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly 'x-internal'?: true;
  readonly security: object[];
  readonly parameters: { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: object;
  readonly responses: Record<string, Answer>;
}
interface Document {
  readonly tags: { name: string; description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, object> };
}

const document = createOpenApiDocument({ version: '1.2.3' }) as Document; // its shape is what is tested here
/** The schema of the body, which is a component. */
const bodyOf = ({ requestBody }: Operation) =>
  document.components.schemas[/schemas\/(\w+)"/.exec(JSON.stringify(requestBody))?.[1] ?? ''] ?? {};
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const operation = (id: string) => {
  const found = operations.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
};

describe('the OpenAPI document', () => {
  it('allows null for one of some values that may be null', () => {
    const { properties } = document.components.schemas['TraceRated'] as { properties: Record<string, object> };
    expect(properties['not_billed']).toMatchObject({
      type: ['string', 'null'],
      enum: ['own_call', 'failed_call', 'nothing_to_charge', null],
    });
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone({ ...document }));
    expect(result.errors ?? []).toEqual([]);
    expect(validator.version).toBe('3.1');
  });

  it('summarises each operation by a verb and its object', () => {
    const verbs =
      /^(Approve|Archive|Authorize|Browse|Change|Check|Clear|Close|Confirm|Create|Decide|Disconnect|Download|End|Extend|Get|Grant|Increase|List|Move|Open|Pay|Preview|Receive|Reconcile|Record|Redeliver|Refresh|Refund|Refuse|Register|Release|Remove|Replace|Replay|Resume|Revoke|Script|Set|Show|Sign|Submit|Sum|Suspend|Test|Trace|Update|Void) /;
    for (const { summary } of operations) expect(summary).toMatch(verbs);
  });

  it('has exactly the routes of the table', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('has every schema that it refers to, and refers to every schema that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, id]) => id,
    );
    expect(new Set(references)).toEqual(new Set(Object.keys(document.components.schemas)));
    expect(JSON.stringify(document)).not.toMatch(/\$defs|\$schema|"\$ref":"(?!#\/components\/schemas\/)/);
  });

  it('describes only schemas that JSON Schema 2020-12 understands', () => {
    const ajv = newAjv();
    for (const id of Object.keys(document.components.schemas)) {
      expect(typeof ajv.compile({ $ref: `openapi.json#/components/schemas/${id}` })).toBe('function');
    }
  });

  it('has examples that fit the schemas they stand in', () => {
    const ajv = newAjv();
    const unfit = schemasWithExamples(document.components).flatMap(({ examples, ...schema }) =>
      examples.filter((example) => !ajv.validate(withAbsoluteReferences(schema), example)),
    );
    expect(unfit).toEqual([]);
  });

  it('says of every answer how its request is named, and of every problem what it may be', () => {
    for (const route of routes) {
      const { responses } = operation(route.operationId);
      expect(Object.values(responses).every(({ headers }) => headers['X-Request-Id']?.required)).toBe(true);
      const statuses = new Set([
        ...Object.keys(route.responses),
        ...errorsOf(route).map((code) => String(errorCodes[code].status)),
      ]);
      expect(Object.keys(responses).sort()).toEqual([...statuses].sort());
    }
  });

  it('answers every error as a problem with its codes', () => {
    for (const route of routes) {
      const { responses } = operation(route.operationId);
      const problems = Object.entries(responses).filter(([status]) => !(Number(status) in route.responses));
      for (const [, { content }] of problems) expect(Object.keys(content ?? {})).toEqual(['application/problem+json']);
      const isPage = ({ mediaTypes }: RouteAnswer) => mediaTypes?.includes('text/html'); // for people, who read no problems
      const answers = Object.entries(route.responses).filter(([, answer]) => !isPage(answer));
      expect(answers.filter(([status]) => Number(status) >= 400)).toEqual([]);
    }
    expect(JSON.stringify(operation('recordEvent').responses['409'])).toContain(
      '"enum":["idempotency_conflict","authorization_not_open"]',
    );
  });

  it('says of each body whether unknown fields are ignored or refused, and refuses them outside events and passwords', () => {
    for (const route of routes.filter(
      ({ body, bodyType, path }) => body && !bodyType && !path.startsWith('/v1/webhooks/'),
    )) {
      const schema = JSON.stringify(bodyOf(operation(route.operationId)));
      const isClosed = schema.includes('"additionalProperties":false');
      expect([route.operationId, isClosed]).toEqual([route.operationId, !route.ignoresUnknownFields]);
      const takesPasswords = ['register', 'login', 'changePassword'].includes(route.operationId);
      const isOpenRoute = takesPasswords || route.path.startsWith('/v1/events');
      expect(isClosed).toBe(!isOpenRoute);
    }
  });

  it('has examples of refused money, which fit the schema of the answer they stand in', () => {
    const ajv = newAjv();
    const answer = operation('askAuthorization').responses['402'] as unknown as {
      content: Record<string, { schema: object; examples: Record<string, { value: Refusal }> }>;
    };
    const { schema, examples } = answer.content['application/problem+json'] ?? { schema: {}, examples: {} };
    const values = Object.values(examples).map(({ value }) => value);
    const scopes: readonly string[] = spendingLimitSchema.shape.scope.options;
    for (const code of ['payment_required', 'spending_cap_reached'])
      expect(values.filter((value) => value.code === code && !value.limit)).not.toEqual([]); // as a builder sees it
    expect(new Set(values.flatMap(({ limit }) => limit?.scope ?? []))).toEqual(new Set(scopes));
    const unfit = values.filter((value) => !ajv.validate(withAbsoluteReferences(schema), value));
    expect(unfit).toEqual([]);
  });

  it('types the items of a batch', () => {
    const { properties } = document.components.schemas['EventBatch'] as { properties: { events: { items: object } } };
    expect(properties.events.items).toEqual({ $ref: '#/components/schemas/Event' });
  });

  it('leaves fields with a default optional for generators, and says the default in words', () => {
    expect(JSON.stringify(document.components.schemas)).not.toMatch(/"default":/);
    const { properties, required } = document.components.schemas['Event'] as {
      properties: Record<string, { description: string }>;
      required: string[];
    };
    expect(required).toEqual(['tool_id']);
    expect(properties['success']?.description).toBe('Whether the call succeeded. Default: `true`.');
  });

  it('has an example of each body, which the contract accepts', () => {
    const forCallers = routes.filter(({ body, isInternal }) => body && !isInternal);
    expect(forCallers.length).toBeGreaterThan(10);
    for (const { operationId, body, bodyType = 'application/json' } of forCallers) {
      const { requestBody } = operation(operationId) as {
        requestBody?: { content: Record<string, { example?: unknown }> };
      };
      const example = requestBody?.content[bodyType]?.example;
      expect([operationId, body?.safeParse(example).error?.issues]).toEqual([operationId, undefined]);
    }
  });

  it('has examples that are not out of date: an event now, a price in the far future', () => {
    expect(JSON.stringify(operation('recordEvent').requestBody)).not.toContain('timestamp');
    expect(JSON.stringify(operation('createPriceVersion').requestBody)).toContain('"effective_from":"2099-');
  });

  it('describes each tag, from what a newcomer needs to the operation of the service', () => {
    const described = document.tags;
    expect(described.map(({ name }) => name).slice(0, 5)).toEqual(['Accounts', 'API keys', 'Tools', 'Events', 'Usage']);
    expect(described.every(({ description }) => /^[A-Z].+\.$/.test(description))).toBe(true);
    expect(new Set(described.map(({ name }) => name))).toEqual(new Set(routes.map(({ tag }) => tag)));
  });

  it('has its paths in the order of the tags', () => {
    const places = operations.map(({ tags: [tag] }) => tags.findIndex(({ name }) => name === tag));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
  });

  it('says which query parameters are required, with an example of each', () => {
    const required = operations
      .filter((found) => !found['x-internal'])
      .flatMap(({ operationId, parameters }) =>
        parameters
          .filter((parameter) => parameter.in === 'query' && parameter.required)
          .map(({ name, schema }) => [operationId, name, 'examples' in schema]),
      );
    expect(required).toEqual([
      ['listAuthorizations', 'reference', true],
      ['getMoneyPath', 'period', true],
      ['reconcile', 'period', true],
    ]);
  });

  it('marks what is not for callers as internal', () => {
    const internal = operations.filter((found) => found['x-internal']).map(({ operationId }) => operationId);
    expect(internal.toSorted()).toEqual([
      'answerApprovalPage',
      'answerCardSetupPage',
      'answerDevicePage',
      'answerEmailConfirmationPage',
      'answerOAuthPage',
      'answerOnboardingPage',
      'answerPasswordResetPage',
      'authorizeOAuthClient',
      'beginBrowserSession',
      'endBrowserSession',
      'getApprovalPage',
      'getCardSetupPage',
      'getConsole',
      'getConsoleAsset',
      'getConsoleObject',
      'getConsolePage',
      'getConsolePart',
      'getDevicePage',
      'getDocumentation',
      'getDocumentationAsset',
      'getEmailConfirmationPage',
      'getEmbedPage',
      'getOAuthKeys',
      'getOAuthMetadata',
      'getOAuthPage',
      'getOAuthToken',
      'getOnboardingPage',
      'getOpenIdMetadata',
      'getPasswordResetPage',
      'getRoot',
      'getUnsubscribePage',
      'introspectOAuthToken',
      'proveSecondFactor',
      'receiveSandboxWebhook',
      'receiveStripeWebhook',
      'registerOAuthClient',
      'resumeOAuthAuthorization',
      'revokeOAuthToken',
      'unsubscribe',
    ]);
  });

  it('offers the Idempotency-Key header for an event', () => {
    expect(operation('recordEvent').parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header' }]);
  });

  it('has the headers that go with a status', () => {
    const { responses } = operation('recordEvent');
    for (const name of ['X-RateLimit-Remaining', 'X-Ignored-Fields', 'Idempotent-Replayed'])
      expect(responses['201']?.headers).toHaveProperty(name);
    for (const status of ['429', '503']) expect(responses[status]?.headers).toHaveProperty('Retry-After');
    expect(responses['401']?.headers).toHaveProperty('WWW-Authenticate');
    expect(operation('createTool').responses['201']?.headers['Location']?.required).toBe(true);
  });

  it('opens each route to the credentials that open it', () => {
    expect(operation('register').security).toEqual([]);
    expect(operation('listTools').security).toEqual([{ accessToken: [] }, { apiKey: [] }]);
    expect(operation('recordEvent').security).toEqual([{ accessToken: [] }, { apiKey: [] }, { pass: [] }]);
    expect(operation('getOwnPass').security).toEqual([{ pass: [] }]);
    expect(operation('createApiKey').security).toEqual([{ accessToken: [] }]);
  });

  it('links only operations and parameters that there are', () => {
    const links = routes.flatMap(({ responses }) => Object.values(responses).flatMap((answer) => answer.links ?? []));
    expect(links.length).toBeGreaterThan(0);
    for (const { operationId, parameter } of links) {
      expect(operation(operationId).parameters).toContainEqual(
        expect.objectContaining({ name: parameter, in: 'path' }),
      );
    }
  });

  it('takes the Idempotency-Key where the route does', () => {
    for (const route of routes) {
      const names = operation(route.operationId).parameters.map(({ name }) => name);
      expect(names.includes('Idempotency-Key')).toBe(takesKeyHeader(route));
    }
  });

  it('keeps the bounds that integers do not have by themselves', () => {
    expect(JSON.stringify(document.components.schemas['Metadata'])).toContain('"maximum":9007199254740991');
    expect(JSON.stringify(document.components.schemas['Event'])).toContain('"maximum":86400000');
  });
});

describe('what the document accepts', () => {
  const values = fc.oneof(
    fc.constantFrom<unknown>(null, '', 'a', 0, -1, 12, 0.5, 86_400_001, 2 ** 53, true, [], {}, '0.002', '01', 'usd'),
    fc.string({ unit: 'binary' }),
    fc.jsonValue({ maxDepth: 2 }),
  );

  it('as an event is what the contract accepts', () => {
    const validate = newAjv().compile({ $ref: 'openapi.json#/components/schemas/Event' });
    const metadata = fc.dictionary(fc.string({ maxLength: 70 }), values, { maxKeys: 12 });
    const events = fc.record(
      {
        tool_id: values,
        duration_ms: values,
        success: values,
        metadata: fc.oneof(values, metadata),
        timestamp: fc.oneof(fc.constantFrom(null, 1, '2026-11-21T12:00:00Z', '2026-11-21', 'x')),
        idempotency_key: values,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(events, (event) => validate(event) === eventSchema.safeParse(event).success),
      { numRuns: 2_000 },
    );
  });

  it('as a price is what the contract accepts, the order of tiers aside', () => {
    const schemas = ['PriceInput', 'PerCallPrice'].map((name) => ({
      $ref: `openapi.json#/components/schemas/${name}`,
    }));
    const validate = newAjv().compile({ oneOf: schemas });
    const spellings = '0 0.0 1.50 00 -1 1000000000000 0.0000000000001'.split(' ');
    const decimals = fc.constantFrom<unknown>(...spellings, null, 1);
    const tier = fc.record({ up_to: fc.constant(null), unit_price_usd: decimals, flat_price_usd: decimals });
    const models = fc.oneof(
      fc.record({ type: fc.constant('per_unit'), unit_price_usd: decimals }),
      fc.record({ type: fc.constant('package'), size: decimals, package_price_usd: decimals }),
      fc.record({ type: fc.constantFrom('volume', 'graduated'), tiers: fc.array(tier, { maxLength: 1 }) }),
    );
    const sums = [{ type: 'metadata_sum', key: 'a' }, { type: 'metadata_sum' }];
    const metrics = fc.constantFrom<unknown>({ type: 'calls' }, ...sums, {});
    const charges = fc.array(fc.record({ metric: metrics, model: models, free_quantity: decimals }), { maxLength: 2 });
    const whole = { currency: fc.constantFrom('usd', 'eur'), charges, other: fc.constant(1) };
    const perCall = { per_call_usd: decimals, currency: fc.constant('usd') };
    const prices = fc.oneof(
      fc.record(whole, { requiredKeys: ['currency'] }),
      fc.record(perCall, { requiredKeys: ['per_call_usd'] }),
    );
    fc.assert(
      fc.property(prices, (price) => validate(price) === priceInputSchema.safeParse(price).success),
      { numRuns: 2_000 },
    );
  });
});

interface Refusal {
  readonly code: string;
  readonly limit?: { readonly scope: string };
}

interface WithExamples {
  readonly examples: unknown[];
}

function schemasWithExamples(value: unknown): WithExamples[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(schemasWithExamples);
  return 'examples' in value && Array.isArray(value.examples) ? [value as WithExamples, ...inner] : inner;
}

function withAbsoluteReferences(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')) as object; // it was JSON
}

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  return ajv.addSchema({ $id: 'openapi.json', ...document });
}
