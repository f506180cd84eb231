import { globSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@tollgate/testkit/faults/repository';

/** Nest's RequestMethod, as its decorators keep it. */
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'ALL', 'OPTIONS', 'HEAD', 'SEARCH'];

interface NestMetadata {
  getMetadata(key: string, target: object): unknown;
}

export interface MountedRoute {
  readonly method: string;
  /** As in the contracts: `/v1/tools/{slug}`. */
  readonly path: string;
  readonly file: string;
}

interface ExpressApp {
  readonly router: {
    readonly stack: readonly {
      readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
    }[];
  };
}

/** The routes of the gateway's Express app, read from its router. */
export async function readExpressRoutes(): Promise<MountedRoute[]> {
  const file = 'services/ingest-gateway/src/edge/create-reading-app.ts';
  const { createReadingApp } = (await import(join(repository, file))) as {
    createReadingApp: (handlers: object) => unknown;
  };
  const anyHandler = new Proxy({}, { get: () => () => undefined }); // it is mounted, never called
  const app = createReadingApp(anyHandler) as ExpressApp;
  return app.router.stack.flatMap(({ route }) =>
    Object.keys(route?.methods ?? {}).map((method) => ({
      method: method.toUpperCase(),
      path: toTemplate(route?.path ?? ''),
      file,
    })),
  );
}

/** The routes of every service's controllers, read from their decorators. */
export async function readControllerRoutes(): Promise<MountedRoute[]> {
  const files = globSync('services/*/src/**/*.controller.ts', { cwd: repository });
  const mounted: MountedRoute[] = [];
  for (const file of files) {
    const exported = Object.entries((await import(join(repository, file))) as Record<string, unknown>);
    for (const [name, value] of exported)
      if (typeof value === 'function' && name.endsWith('Controller'))
        mounted.push(...routesOf(controllerOf(value), file));
  }
  return mounted;
}

/** A function that makes a controller gets use cases that do nothing: the routes are read and never called. */
function controllerOf(value: object): Controller {
  const isClass = Function.prototype.toString.call(value).startsWith('class');
  if (isClass) return value as Controller;
  const anyUseCase: unknown = new Proxy({}, { get: () => () => undefined });
  const makes = value as (...dependencies: unknown[]) => Controller;
  return makes(...Array.from({ length: makes.length }, () => anyUseCase));
}

type Controller = (new (...dependencies: never[]) => unknown) & { readonly prototype: object };

function routesOf(controller: Controller, file: string): MountedRoute[] {
  const { getMetadata } = Reflect as unknown as NestMetadata; // added by reflect-metadata, a dependency of Nest
  const prefixes = listOf(getMetadata('path', controller));
  return Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
    const handler = Object.getOwnPropertyDescriptor(controller.prototype, name)?.value as object | undefined;
    const method = handler && getMetadata('method', handler);
    if (!handler || typeof method !== 'number') return [];
    const paths = listOf(getMetadata('path', handler));
    return prefixes.flatMap((prefix) =>
      paths.map((path) => ({ method: methods[method] ?? '', path: toTemplate(`${prefix}/${path}`), file })),
    );
  });
}

function listOf(path: unknown): string[] {
  return Array.isArray(path) ? path.map(String) : [typeof path === 'string' ? path : ''];
}

function toTemplate(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  return `/${segments.map((segment) => segment.replace(/^:(\w+)/, '{$1}')).join('/')}`;
}
