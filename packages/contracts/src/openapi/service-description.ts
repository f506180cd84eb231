/** What holds for every route, in words. */
export function describeService(): string {
  return [
    'Every call of a tool is recorded as an event; events drive metering, analytics and billing. An account signs in; it is a *consumer* where it calls and a *builder* where it owns the tool.',
    '**Errors** are `application/problem+json` (RFC 9457), the same everywhere. Program against `code`; `type` is the same as a URN. Whoever may not know that a thing exists gets 404, never 403. Any path may also answer 404 `not_found` and 405 `method_not_allowed` (with `Allow`).',
    '**Bodies** are JSON in UTF-8. Unknown top-level fields are ignored and named in `X-Ignored-Fields`. `null` for an optional field is its absence. NUL characters are refused.',
    '**Times** in answers are UTC with milliseconds and `Z`. In requests: RFC 3339 with `Z` or an offset; more than three fraction digits are cut.',
    '**Lists** are newest first, in pages: pass `next_cursor` as `cursor` for the next one.',
    '**Money**: `*_usd` numbers are made from integers; unit prices are decimal strings.',
  ].join('\n\n');
}
