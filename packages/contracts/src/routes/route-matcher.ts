import type { Route } from './route.ts';

export type RouteMatch =
  | { readonly kind: 'matched'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method_not_allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'not_found' };

export type MatchRoute = (method: string, path: string) => RouteMatch;

interface Place {
  readonly segments: readonly Segment[];
  readonly routes: Map<string, Route>;
}

/** A parameter may have text after it: `{id}.pdf`. */
type Segment = { readonly literal: string } | { readonly param: string; readonly suffix: string };

const notFound: RouteMatch = { kind: 'not_found' };

/**
 * Finds the route of a request; `path` has no query. A path belongs to its most literal template, whatever the method:
 * `/v1/events/batch` is never an event id, and `{id}.pdf` comes before `{id}`. `HEAD` matches as `GET`. Paths are
 * exact: a trailing slash does not match.
 */
export function createRouteMatcher(routes: readonly Route[]): MatchRoute {
  const literalPlaces = new Map<string, Place>();
  const patternPlaces: Place[] = [];
  for (const [path, place] of placesOf(routes)) {
    if (path.includes('{')) patternPlaces.push(place);
    else literalPlaces.set(path, place);
  }
  patternPlaces.sort((left, right) => suffixLengthOf(right) - suffixLengthOf(left));
  return function matchRoute(method, path) {
    const literal = literalPlaces.get(path);
    if (literal) return matchMethod(literal, { method, params: {} });
    const parts = path.split('/').map(decodeSegment);
    for (const place of patternPlaces) {
      const params = matchSegments(place.segments, parts);
      if (params) return matchMethod(place, { method, params });
    }
    return notFound;
  };
}

function placesOf(routes: readonly Route[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const route of routes) {
    const place = places.get(route.path) ?? { segments: route.path.split('/').map(toSegment), routes: new Map() };
    place.routes.set(route.method, route);
    places.set(route.path, place);
  }
  return places;
}

function toSegment(text: string): Segment {
  const [, param, suffix = ''] = /^\{(\w+)\}(.*)$/.exec(text) ?? [];
  return param === undefined ? { literal: text } : { param, suffix };
}

function suffixLengthOf({ segments }: Place): number {
  return segments.reduce((sum, segment) => sum + ('suffix' in segment ? segment.suffix.length : 0), 0);
}

function matchSegments(
  segments: readonly Segment[],
  parts: readonly (string | undefined)[],
): Record<string, string> | undefined {
  if (segments.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = parts[index];
    if (part === undefined || part === '') {
      if (index > 0) return undefined; // before the first slash there is nothing
    } else if ('param' in segment) {
      if (!hasSuffix(part, segment.suffix)) return undefined;
      params[segment.param] = part.slice(0, part.length - segment.suffix.length);
    } else if (segment.literal !== part) return undefined;
  }
  return params;
}

/** After a value: a parameter is never empty. */
function hasSuffix(part: string, suffix: string): boolean {
  return part.length > suffix.length && part.endsWith(suffix);
}

function matchMethod(place: Place, { method, params }: { method: string; params: Record<string, string> }): RouteMatch {
  const route = place.routes.get(method === 'HEAD' ? 'GET' : method);
  if (route) return { kind: 'matched', route, params };
  const allow = [...place.routes.keys()].flatMap((allowed) => (allowed === 'GET' ? ['GET', 'HEAD'] : [allowed]));
  return { kind: 'method_not_allowed', allow };
}

/** Undefined for broken percent-encoding: such a path names nothing. */
function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
