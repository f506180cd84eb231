import { z } from 'zod';
import { idempotencyKeySchema } from '../forms/idempotency-key.ts';
import { needsOperatorCode, takesKeyHeader, type Route } from '../routes/route.ts';
import { answersOf } from './answers.ts';
import { schemaOf } from './components.ts';
import { securityOf } from './security.ts';

/** One route as an OpenAPI operation. */
export function toOperation(route: Route): object {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.isInternal && { 'x-internal': true }),
    security: securityOf(route),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body && { requestBody: toRequestBody(route.body, route.bodyType) }),
    responses: answersOf(route),
  };
}

function pathParameters({ params }: Route): object[] {
  return fieldsOf(params).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...toParameter(schema),
  }));
}

function queryParameters({ query }: Route): object[] {
  return fieldsOf(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    explode: false, // lists are separated by commas, and no parameter may come twice
    ...toParameter(schema),
  }));
}

const replyKey =
  'Makes the request safe to repeat: for at least 24 hours the same key has the same answer, with `Idempotent-Replayed`. Scope: account, method and path.';
const bodyKey =
  'The `idempotency_key`, if the body has no `idempotency_key`. If both are sent and differ, the answer is 400.';

const operatorCodeParameter = {
  name: 'Tollgate-Operator-Code',
  in: 'header',
  required: false,
  description: 'From `createOperatorCode`. Needed while the operator has a second factor.',
  schema: { type: 'string' },
};

function headerParameters(route: Route): object[] {
  return [...keyParameters(route), ...(needsOperatorCode(route) ? [operatorCodeParameter] : [])];
}

function keyParameters(route: Route): object[] {
  if (!takesKeyHeader(route)) return [];
  const description = route.idempotencyKey === 'of_body' ? bodyKey : replyKey;
  return [
    { name: 'Idempotency-Key', in: 'header', required: false, description, schema: schemaOf(idempotencyKeySchema) },
  ];
}

function fieldsOf(schema: z.ZodObject | undefined): [string, z.ZodType][] {
  return Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>); // ZodObject alone knows its shape as any
}

/** The description stands at the parameter, where tools look for it. */
function toParameter(schema: z.ZodType): object {
  const { description, ...rest }: { description?: string } = schemaOf(schema);
  return { ...(description !== undefined && { description }), schema: rest };
}

function toRequestBody(body: z.ZodType, type = 'application/json'): object {
  const [example] = (z.globalRegistry.get(body)?.examples ?? []) as readonly unknown[];
  const content = { schema: schemaOf(body), ...(example !== undefined && { example }) };
  return { required: true, content: { [type]: content } };
}
