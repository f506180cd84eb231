import { join } from 'node:path';
import { createHttpClient, type HttpClient, type HttpRequest } from '@tollgate/testkit/http-client';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import {
  buildStandalone,
  fillDataFolder,
  startStandalone,
  type StandaloneProcess,
} from '@tollgate/testkit/standalone-process';
import { openFolder, type Undo } from './it-with.ts';

export interface Product {
  readonly dataDir: string;
  /** Checks every answer against the product's own OpenAPI document. It finds a restarted product again. */
  readonly client: HttpClient;
  /** Where it serves now: a restarted product takes another port. */
  baseUrl(): string;
  /** Kills every process of the product and starts it again. */
  restart(): Promise<void>;
  output(): string;
}

export interface ProductOptions {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The product as `pnpm start` runs it, on a data folder of its own. */
export async function openProduct({ name, env = {} }: ProductOptions, undo: Undo): Promise<Product> {
  await buildStandalone();
  const lives: StandaloneProcess[] = [];
  const output = () => lives.map((life) => life.output()).join('\n');
  const dataDir = join(openFolder(name, undo, output), 'data');
  undo(() => Promise.all(lives.map((life) => life.destroy())));
  await fillDataFolder(dataDir, env);

  let baseUrl = '';
  async function start(): Promise<HttpClient> {
    const life = startStandalone({ dataDir, env });
    lives.push(life);
    ({ baseUrl } = await life.ready());
    const document = await createHttpClient({ baseUrl })<object>('GET', '/openapi.json');
    return createHttpClient({ baseUrl, answerCheck: createAnswerCheck(document.body) });
  }

  let client = await start();
  return {
    dataDir,
    client: <Body>(method: string, path: string, request?: HttpRequest) => client<Body>(method, path, request),
    async restart() {
      await lives.at(-1)?.killAll();
      client = await start();
    },
    baseUrl: () => baseUrl,
    output,
  };
}
