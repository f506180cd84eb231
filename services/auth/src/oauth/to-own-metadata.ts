import { spendScope } from './scopes.ts';

/** The members that are true of this server. The library also tells of identity tokens and claims, which nobody gets here. */
const told = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'jwks_uri',
  'response_types_supported',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
  'authorization_details_types_supported',
  'client_id_metadata_document_supported',
  // OpenID's form of the document demands these two.
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
];

export function toOwnMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...Object.fromEntries(told.filter((name) => metadata[name] !== undefined).map((name) => [name, metadata[name]])),
    response_modes_supported: ['query'],
    scopes_supported: [spendScope],
    revocation_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint_auth_methods_supported: ['none'],
  };
}
