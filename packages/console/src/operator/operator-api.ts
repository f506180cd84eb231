import { queryOptions } from '@tanstack/react-query';
import { type Filling, perform, send } from '../api/call.ts';
import { ProblemError } from '../api/problem.ts';
import type { components, operations as types } from '../generated/operator-openapi.ts';
import { operatorOperations } from '../generated/operator-operations.ts';

/** The bodies of the operator's routes, by their names in the OpenAPI document. */
export type OperatorSchemas = components['schemas'];

type OperatorId = keyof typeof operatorOperations & keyof types;
type BodyOf<Content> = Content extends { 'application/json': infer Body } ? Body : never;
type AnswerIn<Responses> = Responses extends { 200: { content: infer Content } }
  ? BodyOf<Content>
  : Responses extends { 201: { content: infer Content } }
    ? BodyOf<Content>
    : undefined;
type Answer<Id extends OperatorId> = AnswerIn<types[Id]['responses']>;

type QueryOf<Id extends OperatorId> = NonNullable<types[Id]['parameters']['query']>;
type Asked<Id extends OperatorId> = { [Name in keyof QueryOf<Id>]?: QueryOf<Id>[Name] | undefined };

interface OperatorFilling<Id extends OperatorId> extends Omit<Filling, 'query'> {
  readonly query?: Asked<Id>;
}

/** Calls a route of the operator. The session's account is one, and has shown a second factor. */
export async function callOperator<Id extends OperatorId>(
  id: Id,
  filling: OperatorFilling<Id> = {},
): Promise<Answer<Id>> {
  return (await perform(operatorOperations[id], filling)) as Answer<Id>; // the generated types say what each answers
}

/** A question to a route of the operator. Its answer is kept by the operation and what fills it. */
export function askOperator<Id extends OperatorId>(id: Id, filling: Pick<OperatorFilling<Id>, 'path' | 'query'> = {}) {
  return queryOptions({ queryKey: [id, filling], queryFn: ({ signal }) => callOperator(id, { ...filling, signal }) });
}

/** Shows a code of the second factor, for what needs a fresh one. */
export async function showCode(code: string): Promise<void> {
  const digits = code.replace(/\s/g, '');
  const body = /^\d{6}$/.test(digits) ? { totp_code: digits } : { recovery_code: code };
  await send('POST', '/v1/auth/session/second-factor', { body });
}

/** Whether the service wants a code of the second factor before this. */
export function wantsCode(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'operator_code_required';
}
