import { isUtf8 } from 'node:buffer';
import { pointerOf } from '@tollgate/contracts/forms/field-errors';
import { isWellFormed } from '@tollgate/kernel/text';
import { invalidInput, invalidRequest } from './invalid-request.ts';

/** The contracts go down to level 8. Without a bound, a few kilobytes of `[` overflow every recursive walk. */
const depthMax = 32;

/** The value of a request's JSON text. PostgreSQL and every other reader can hold it; else it throws a 400 that says where. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('is not valid UTF-8');
  if (isTooDeep(bytes)) throw malformed(`is nested deeper than ${depthMax} levels`);
  const decoded = bytes.toString('utf8');
  const text = decoded.charCodeAt(0) === byteOrderMark ? decoded.slice(1) : decoded;
  const value = parseText(text);
  // Valid UTF-8 has no surrogates and JSON no bare NUL. Only an escape can bring them in, and most bodies have none.
  if (text.includes('\\u')) refuseIllFormed(value, []);
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw malformed('is not valid JSON'); // without the parser's message, which quotes the body
  }
}

/** Some editors and libraries of Windows begin each UTF-8 text with it. RFC 8259 lets a reader skip it. */
const byteOrderMark = 0xfeff;
const quote = 0x22;
const backslash = 0x5c;

/** Counts before parsing, in one pass over the bytes: 10⁵ brackets cost less than a millisecond, closed or not. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index++;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else depth += depthChange(byte);
    if (depth > depthMax) return true;
  }
  return false;
}

function depthChange(byte: number | undefined): number {
  if (byte === 0x5b || byte === 0x7b) return 1; // [ {
  return byte === 0x5d || byte === 0x7d ? -1 : 0; // ] }
}

function refuseIllFormed(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') {
    if (!isWellFormed(value)) throw illFormed(path, 'must not contain NUL characters or lone surrogates');
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => refuseIllFormed(item, [...path, index]));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!isWellFormed(key)) throw illFormed(path, 'has a field name with NUL characters or lone surrogates');
      refuseIllFormed(member, [...path, key]);
    }
  }
}

function malformed(what: string): Error {
  return invalidRequest(`The body ${what}.`, [{ pointer: '', code: 'malformed', message: what }]);
}

function illFormed(path: readonly PropertyKey[], message: string): Error {
  return invalidInput('body', [{ pointer: pointerOf(path), code: 'invalid_characters', message }]);
}
