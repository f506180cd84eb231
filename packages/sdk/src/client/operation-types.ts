import type { components, operations as types } from '../generated/openapi.ts';
import type { operations } from '../generated/operations.ts';

/** The bodies of the API, by their names in the OpenAPI document. */
export type Schemas = components['schemas'];

export type OperationId = keyof typeof operations & keyof types;

/** The media types are ours: JSON, or the bytes of a file. */
type BodyOf<Content> = Content extends { 'application/json': infer Body } ? Body : Uint8Array;

type AnswerIn<Responses> = Responses extends { 200: { content: infer Content } }
  ? BodyOf<Content>
  : Responses extends { 201: { content: infer Content } }
    ? BodyOf<Content>
    : Responses extends { 202: { content: infer Content } }
      ? BodyOf<Content>
      : void;

/** The answer of an operation that succeeds. */
export type Answer<Id extends OperationId> = AnswerIn<types[Id]['responses']>;

/** The query of an operation. */
export type Query<Id extends OperationId> = NonNullable<types[Id]['parameters']['query']>;
