import { describe, expect, it } from '@jest/globals';
import { createOpenApiDocument } from '../openapi/openapi.ts';
import { webhookTypes, type WebhookType } from './webhook-types.ts';

const types = Object.entries<WebhookType>(webhookTypes);

describe('the types of webhooks', () => {
  it.each(types)('%s has an example that its schema knows whole', (_, { data, example }) => {
    expect(data.strict().parse(example)).toEqual(example);
  });

  it('are the webhooks of the OpenAPI document, each with schema and example', () => {
    const { webhooks } = createOpenApiDocument({ version: '0.0.0' }) as { webhooks: Record<string, { post: object }> };
    expect(Object.keys(webhooks)).toEqual(Object.keys(webhookTypes));
    for (const [name, { example }] of types)
      expect(webhooks[name]?.post).toMatchObject({
        requestBody: {
          content: {
            'application/json': {
              schema: { properties: { type: { const: name } } },
              example: { type: name, data: example },
            },
          },
        },
      });
  });
});
