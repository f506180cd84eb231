/**
 * A browser asks so whether it may send the request itself. It sends no credentials, and shows the answer's body to
 * nobody: so that nobody gets work for nothing by asking so, its answer has none.
 */
export function isPreflight(method: string | undefined, requestedMethod: unknown): boolean {
  return method === 'OPTIONS' && typeof requestedMethod === 'string';
}

export const requestedMethodHeader = 'access-control-request-method';
