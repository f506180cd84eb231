export interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
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

type Asked = { readonly method: string; readonly path: string; readonly status: number };

/** Finds the response that an OpenAPI document of ours describes for an answer. It refers to schemas alone, and has no `default`. */
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
    const response = responses[status];
    if (!response) return 'no such status';
    return { response, pointer: ['paths', template, verb, 'responses', String(status)].map(toPointer).join('/') };
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
