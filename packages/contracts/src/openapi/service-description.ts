/** The conventions of every route, in Markdown. */
export function describeService(): string {
  return [
    'Every call of a tool is recorded as an event; events drive metering, analytics and billing. An account signs in; it is a *consumer* where it calls and a *builder* where it owns the tool.',
    '**Errors** are `application/problem+json` (RFC 9457), the same everywhere. Program against `code`; `type` is the same as a URN. An account gets 404, never 403, for objects that it may not see. Any path may also answer 404 `not_found` and 405 `method_not_allowed` (with `Allow`).',
    '**Bodies** are JSON in UTF-8. An unknown field or query parameter is 400 `invalid_request`, with the name that was probably meant. Only events and `/v1/auth` ignore unknown fields, and name them in `X-Ignored-Fields`. `null` for an optional field means that it is absent. NUL characters are refused.',
    '**Times** in answers are UTC with milliseconds and `Z`. In requests they are RFC 3339 with `Z` or an offset; fraction digits after the third are dropped.',
    '**Lists** are newest first, in pages: pass `next_cursor` as `cursor` for the next page.',
    '**Money**: `*_usd` numbers are computed from integers; unit prices are decimal strings.',
    '**Examples** of bodies work as they stand on a new service, tried in the order of this document. Replace ids and codes that only another answer, a person or the end of a month gives.',
  ].join('\n\n');
}
