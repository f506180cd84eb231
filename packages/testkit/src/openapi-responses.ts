export interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly $ref?: string;
}

export interface FoundResponse {
  readonly response: DescribedResponse;
  /** Its place in the document: a JSON pointer without the leading slash. */
  readonly pointer: string;
}

interface Operation {
  readonly responses?: Readonly<Record<string, DescribedResponse>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Referring = { readonly response: DescribedResponse | undefined; readonly pointer: string };
type Asked = { readonly method: string; readonly path: string; readonly status: number };

/** Finds the response that an OpenAPI document describes for an answer. `default` covers every status without a name. */
export function createResponseFinder(openApiDocument: object) {
  const document = openApiDocument as Document; // any other object has no paths and fails here
  const templates = Object.keys(document.paths)
    .toSorted(byLiteralsFirst)
    .map((template) => ({ template, pattern: toPattern(template) }));

  return function findResponse({
    method,
    path,
    status,
  }: Asked): FoundResponse | 'no such operation' | 'no such status' {
    const { pathname } = new URL(path, 'http://localhost');
    const template = templates.find(({ pattern }) => pattern.test(pathname))?.template ?? '';
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const responses = document.paths[template]?.[verb]?.responses;
    if (!responses) return 'no such operation';
    const key = String(status) in responses ? String(status) : 'default';
    const pointer = ['paths', template, verb, 'responses', key].map(toPointer).join('/');
    return followReference(openApiDocument, { response: responses[key], pointer });
  };
}

/** One segment of a JSON pointer inside a URL fragment. */
export function toPointer(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** `/invoices/upcoming` before `/invoices/{id}`, and `/invoices/{id}.pdf` before it too. */
function byLiteralsFirst(a: string, b: string): number {
  const weight = (template: string) => template.replace(/\{[^}]*\}/g, '{').length * 10 - template.split('{').length;
  return weight(b) - weight(a);
}

function toPattern(template: string): RegExp {
  const literals = template.split(/\{[^}]*\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('[^/]+')}$`);
}

function followReference(document: object, { response, pointer }: Referring): FoundResponse | 'no such status' {
  if (!response) return 'no such status';
  if (response.$ref === undefined) return { response, pointer };
  const target = response.$ref.replace(/^#\//, '');
  let found: unknown = document;
  for (const segment of target.split('/').map(fromPointer))
    found = (found as Record<string, unknown> | undefined)?.[segment];
  if (typeof found !== 'object' || found === null)
    throw new Error(`/openapi.json refers to ${response.$ref}, which it does not have`);
  return { response: found, pointer: target };
}

function fromPointer(segment: string): string {
  return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}
