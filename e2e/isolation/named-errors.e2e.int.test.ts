import { describe, expect } from '@jest/globals';
import type { Problem } from '@tollgate/contracts/forms/problem';
import type { Route } from '@tollgate/contracts/routes/route';
import { isServedWith, routes } from '@tollgate/contracts/routes/routes';
import { z } from 'zod';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { asker } from './ask-route.ts';
import { sampleOf } from './samples.ts';
import { createOwner, type Owner } from './owner.ts';

const served = routes
  .filter(isServedWith('sandbox'))
  .filter(({ tag, isInternal }) => tag !== 'OAuth' || !isInternal) // RFCs decide what these answer, and pages are for people
  .map((route) => ({ name: `${route.method} ${route.path}`, route }));
/** A missing page of `/docs` is an unknown address, and so is a missing file of `/app`. An approval's page asks for a sign-in first. */
const naming = served.filter(({ route: { path } }) => path.includes('{') && !/^[/](docs|app|approvals)[/]/.test(path));
const operatorToken = 'only-the-operator-of-this-test-knows-it';

/** Probes and browsers add parameters of their own to these. */
const pages = /^[/](livez|readyz|openapi.json|(docs|app)([/].+)?)?$/;

/** Sends something wrong to each route of the contracts. The answer names it. A new route takes part by itself. */
describe('an error names what is wrong', () => {
  const it = itWith(async (undo) => {
    const product = await openProduct({ name: 'named-errors', env: { OPERATOR_TOKEN: operatorToken } }, undo);
    const { client } = product;
    return { product, client, builder: await createOwner(client), ask: asker(client) };
  });

  for (const { name, route } of naming) {
    it(`names in its 404 what ${name} does not find`, async ({ builder, ask }) => {
      const token = tokenFor(route, builder);
      for (const unknown of unknownNamesOf(route)) {
        const answer = await ask(route, builder, token, { path: unknown.path });
        expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining(unknown.name) } });
      }
    });
  }

  for (const { name, route } of served.filter((each) => !pages.test(each.route.path))) {
    it(`names the parameter of ${name} that is wrong, and its known values`, async ({ builder, ask }) => {
      const token = tokenFor(route, builder);
      const [address] = sampleOf(route).path(builder).split('?');
      for (const { parameter, values } of [{ parameter: 'nope', values: [] }, ...wordsOf(route)]) {
        const answer = await ask(route, builder, token, { path: `${address}?${parameter}=nope` });
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
        for (const named of [parameter, ...values]) expect((answer.body as Problem).detail).toContain(named);
      }
    });
  }

  for (const { name, route } of served.filter(
    (each) => missingFieldsOf(each.route).length > 0 && isReadAtOnce(each.route),
  )) {
    it(`names the field that ${name} lacks`, async ({ client, builder }) => {
      const token = tokenFor(route, builder);
      const answer = await client<Problem>(route.method, sampleOf(route).path(builder), { token, body: {} });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(missingFieldsOf(route)).toContain(/\/(\w+)/.exec(answer.body.detail)?.[1]);
    });
  }
});

function tokenFor({ access }: Route, { token, passKey }: Pick<Owner, 'token' | 'passKey'>): string {
  if (access === 'operator') return operatorToken;
  return access === 'pass' ? passKey : token;
}

/** Forms are not JSON, and a webhook without a signature is not read. */
function isReadAtOnce({ bodyType, path }: Route): boolean {
  return bodyType === undefined && !path.startsWith('/v1/webhooks/');
}

/** Addresses of the route that name nothing, well-formed and not, each with the name that leads nowhere. */
function unknownNamesOf({ path }: Route): { readonly name: string; readonly path: string }[] {
  const parameter = /\{(\w+)\}/.exec(path)?.[1] ?? '';
  const names = unknownNames[parameter] ?? ['01900000-0000-7000-8000-000000000000', 'no-id'];
  return names.map((name) => ({ name, path: path.replace(`{${parameter}}`, name) }));
}

const unknownNames: Readonly<Record<string, readonly string[]>> = {
  slug: ['no-such-tool', 'No_Slug'],
  dead_letter_id: ['usage.events.v1:0:999999', 'no-id'],
  period: ['2026-13'], // every month has a status
  name: ['nobody'],
};

/** The parameters of the query that take one of a few words. */
function wordsOf({ query }: Route): { readonly parameter: string; readonly values: readonly string[] }[] {
  return Object.entries(query?.shape ?? {}).flatMap(([parameter, schema]) => {
    const values = enumOf(schema);
    return values.length === 0 ? [] : [{ parameter, values }];
  });
}

function enumOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? enumOf(schema.unwrap()) : [];
}

/** The fields that an empty body lacks. */
function missingFieldsOf({ body }: Route): string[] {
  const parsed = body instanceof z.ZodType ? body.safeParse({}) : undefined;
  return parsed?.error?.issues.map(({ path: [field] }) => String(field ?? '')) ?? [];
}
