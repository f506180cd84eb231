import { opensToKey } from '@tollgate/contracts/routes/route';
import { routes } from '@tollgate/contracts/routes/routes';
import type { HttpAnswer, HttpClient } from '@tollgate/testkit/http-client';
import type { DocumentedOperation } from './documented-examples.ts';

/** The replacement of a part of an example: fields of its body, and parameters of its path. */
export interface Supplied {
  readonly body?: object;
  readonly params?: Readonly<Record<string, string>>;
}

export interface Reader {
  /** Sends an example, once with each credential that opens the operation, and remembers what the answers gave. */
  tryOut(operation: DocumentedOperation, supplied?: Supplied): Promise<HttpAnswer<unknown>[]>;
  /** Returns the body of the newest answer of this path. */
  answerOf<Body>(path: string): Body;
  /** Reads with the newest access token. */
  read(path: string): Promise<HttpAnswer<unknown>>;
  /** Which kinds of credential were used. */
  readonly used: ReadonlySet<string>;
}

/** Somebody who tries the document out from top to bottom, and keeps the ids and credentials of all answers. */
export function createReader(client: HttpClient, operatorToken: string): Reader {
  const credentials = new Map([['operatorToken', operatorToken]]);
  const answers = new Map<string, object>();
  const used = new Set<string>();

  /** A list that is read after something was made there does not hide what was made. */
  function learn({ path, method }: DocumentedOperation, scheme: string | undefined, body: object): void {
    if (method === 'GET' && answers.has(path)) return;
    answers.set(path, body);
    answers.set(`${scheme} ${path}`, body);
    const { access_token: token, key } = body as { access_token?: string; key?: string };
    if (token !== undefined) credentials.set('accessToken', token);
    if (key !== undefined) credentials.set(key.startsWith('tg_pass_') ? 'pass' : 'apiKey', key);
  }

  function addressOf(
    { path, query }: DocumentedOperation,
    scheme: string | undefined,
    params: Supplied['params'] = {},
  ): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parent = name === 'account_id' ? '/v1/auth/me' : path.slice(0, path.indexOf(`/{${name}}`));
      const { id, [name]: value = id } = (answers.get(`${scheme} ${parent}`) ?? answers.get(parent) ?? {}) as Ids;
      return params[name] ?? value ?? `no-${name}`;
    });
    return Object.keys(query).length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
  }

  const schemesOf = ({ id, schemes }: DocumentedOperation) =>
    schemes.length === 0
      ? [undefined]
      : schemes.filter((scheme) => credentials.has(scheme) && (scheme !== 'apiKey' || opensWithExampleKey(id)));

  return {
    used,
    answerOf: <Body>(path: string) => answers.get(path) as Body, // the answer check has compared it with the document
    read: (path) => client<unknown>('GET', path, { token: credentials.get('accessToken') ?? '' }),
    async tryOut(operation, supplied = {}) {
      const results: HttpAnswer<unknown>[] = [];
      for (const scheme of schemesOf(operation)) {
        const token = scheme === undefined ? undefined : credentials.get(scheme);
        const answer = await client<unknown>(operation.method, addressOf(operation, scheme, supplied.params), {
          ...(token !== undefined && { token }),
          ...(operation.example && { body: { ...operation.example, ...supplied.body } }),
        });
        if (answer.status < 300 && answer.body instanceof Object) learn(operation, scheme, answer.body);
        if (scheme !== undefined) used.add(scheme);
        results.push(answer);
      }
      return results;
    },
  };
}

type Ids = Readonly<Record<string, string>>;

/** The key of the example is limited to events. */
function opensWithExampleKey(operationId: string): boolean {
  const route = routes.find((each) => each.operationId === operationId);
  return route !== undefined && opensToKey(route, ['events']);
}
