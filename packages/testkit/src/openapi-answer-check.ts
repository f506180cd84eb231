import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import { createResponseFinder, toPointer, type DescribedResponse } from './openapi-responses.ts';

export interface CheckedAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** Throws when the description does not allow an answer. */
export type AnswerCheck = (answer: CheckedAnswer) => void;

/**
 * Checks answers against an OpenAPI 3.1 document: status, content type, body and required headers must be as described.
 * Unknown paths are not checked, so that tests of 404 can use them.
 */
export function createAnswerCheck(openApiDocument: object): AnswerCheck {
  const findResponse = createResponseFinder(openApiDocument);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi.json', ...openApiDocument });
  const compiled = new Map<string, ValidateFunction>();

  return function checkAnswer(answer) {
    const found = findResponse(answer);
    if (found === 'no such operation') return;
    if (found === 'no such status') throw contradiction(answer, `status ${answer.status} is not described`);
    const { response } = found;
    for (const name of requiredHeaders(response)) {
      if (!answer.headers.has(name)) throw contradiction(answer, `the header ${name} is missing`);
    }
    if (answer.method === 'HEAD') return;
    const type = contentTypeOf(answer, response);
    if (response.content?.[type]?.schema && type.endsWith('json')) checkBody(answer, { type, pointer: found.pointer });
  };

  function checkBody(answer: CheckedAnswer, { type, pointer }: { type: string; pointer: string }): void {
    const validate = validatorAt(`openapi.json#/${pointer}/content/${toPointer(type)}/schema`);
    if (!validate(answer.body))
      throw contradiction(answer, ajv.errorsText(validate.errors, { dataVar: 'body', separator: '\n  ' }));
  }

  function validatorAt(reference: string): ValidateFunction {
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, validate);
    return validate;
  }
}

function requiredHeaders(response: DescribedResponse): string[] {
  return Object.entries(response.headers ?? {}).flatMap(([name, header]) => (header.required ? [name] : []));
}

function contentTypeOf(answer: CheckedAnswer, response: DescribedResponse): string {
  const described = Object.keys(response.content ?? {});
  if (described.length === 0 && answer.text === '') return 'no body';
  const type = (answer.headers.get('content-type') ?? 'missing').replace(/;.*$/, '').trim();
  if (described.includes(type)) return type;
  throw contradiction(answer, `its content type is ${type}, described is ${described.join(' or ') || 'no body'}`);
}

function contradiction({ method, path, status, text }: CheckedAnswer, what: string): Error {
  return new Error(
    `${method} ${path} answered ${status}, which contradicts /openapi.json:\n  ${what}\n  answer: ${text.slice(0, 2_000)}`,
  );
}
