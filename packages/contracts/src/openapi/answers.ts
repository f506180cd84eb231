import { errorCodes, type ErrorCode } from '@tollgate/kernel/error-codes';
import { problemMediaType } from '../forms/problem.ts';
import { errorsOf } from '../routes/route-errors.ts';
import type { AnswerLink, Route, RouteAnswer } from '../routes/route.ts';
import { schemaOf } from './components.ts';
import { problemExamplesOf } from './problem-examples.ts';
import { problemHeaders, successHeaders } from './headers.ts';

/** Every answer that the route can give, by status. */
export function answersOf(route: Route): Record<string, object> {
  const successes = Object.entries(route.responses).map(([status, answer]) => [status, toSuccess(route, answer)]);
  const problems = [...byStatus(errorsOf(route))].map(([status, codes]) => [
    status,
    toProblem(route, { status, codes }),
  ]);
  return Object.fromEntries([...successes, ...problems]) as Record<string, object>;
}

interface ProblemGroup {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = Map.groupBy(codes, (code) => errorCodes[code].status);
  return new Map([...groups].sort(([left], [right]) => left - right));
}

function toSuccess(
  route: Route,
  { description, schema, mediaTypes = ['application/json'], isAlsoCsv, headers, links }: RouteAnswer,
): object {
  const content = schema && Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOf(schema) }]));
  return {
    description,
    headers: successHeaders(route, headers),
    ...(content && { content: { ...content, ...(isAlsoCsv && { 'text/csv': { schema: { type: 'string' } } }) } }),
    ...(links && { links: toLinks(links) }),
  };
}

function toLinks(links: readonly AnswerLink[]): object {
  const entries = links.map(({ operationId, parameter, field = parameter }) => [
    operationId,
    { operationId, parameters: { [parameter]: `$response.body#/${field}` } },
  ]);
  return Object.fromEntries(entries) as object;
}

function toProblem(route: Route, { status, codes }: ProblemGroup): object {
  const examples = problemExamplesOf(route.path, codes);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('; '),
    headers: problemHeaders(route, status),
    content: {
      [problemMediaType]: {
        schema: {
          $ref: '#/components/schemas/Problem',
          properties: { status: { const: status }, code: { enum: codes } },
        },
        ...(examples && { examples }),
      },
    },
  };
}
