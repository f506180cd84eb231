import type { Answer, OperationId, Query } from '@tollgate/sdk/edge';
import { operations } from '@tollgate/sdk/operations';
import { offline, toProblem } from './problem.ts';

/** A part of a query that is undefined is left out. */
export type Asked<Id extends OperationId> = { [Name in keyof Query<Id>]?: Query<Id>[Name] | undefined };

export interface Filling<Id extends OperationId = OperationId> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Asked<Id>;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** For routes that take one: a repeat under the same key has no second effect. */
  readonly idempotencyKey?: string;
  /** In place of the session's cookie. */
  readonly token?: string;
}

/** Calls an operation of the API. The browser adds the session's cookie, which no script can read. */
export async function call<Id extends OperationId>(id: Id, filling: Filling<Id> = {}): Promise<Answer<Id>> {
  return (await perform(operations[id], filling)) as Answer<Id>; // the generated types say what each operation answers
}

interface Operation {
  readonly method: string;
  readonly path: string;
}

interface AnyFilling extends Omit<Filling, 'query'> {
  readonly query?: object;
}

export async function perform({ method, path }: Operation, filling: AnyFilling): Promise<unknown> {
  return send(method, `${fill(path, filling.path)}${toSearch(filling.query)}`, filling);
}

type Sending = Pick<Filling, 'body' | 'signal' | 'idempotencyKey' | 'token'>;

/** Sends a request to this server alone. */
export async function send(method: string, address: string, sending: Sending = {}): Promise<unknown> {
  const { body, signal, idempotencyKey, token } = sending;
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const credentials = token === undefined ? 'same-origin' : 'omit';
  const request = { method, headers, credentials, ...(body !== undefined && { body: JSON.stringify(body) }) } as const;
  const response = await fetch(address, { ...request, ...(signal && { signal }) }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw offline();
  });
  if (!response.ok) throw await toProblem(response);
  return response.status === 204 ? undefined : response.json();
}

function fill(path: string, values: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function toSearch(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? '' : `?${search}`;
}
