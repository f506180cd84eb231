import { z } from 'zod';
import { codePointLength } from '@tollgate/kernel/text';

const lengthMin = 2;
const lengthMax = 60;
/** Nothing that could stand for an address, a line or another direction of writing. */
const plain = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&'’()+-]*$/u;

/** The scripts of names, as UTS 39 recommends them. Japanese and Korean write in more than one. */
const scripts: readonly RegExp[] = [
  ...'Latin Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'
    .split(' ')
    .map((script) => new RegExp(`^\\p{scx=${script}}*$`, 'u')),
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]*$/u,
  /^[\p{scx=Han}\p{scx=Hangul}]*$/u,
];

/** The name by which people know who sells a tool. The value has its accents composed, and no blanks around it. */
export const publicNameSchema = z
  .string()
  .transform((text, context) => {
    const name = text.normalize('NFC').trim();
    const problem = problemOf(name);
    if (problem === undefined) return name;
    context.issues.push({ code: 'custom', input: text, message: problem.message, params: { code: problem.code } });
    return z.NEVER;
  })
  .meta({
    description:
      "Letters of one script, digits, blanks and `.,&'’()+-`. It begins with a letter or a digit. Blanks around it are cut.",
    minLength: lengthMin,
    maxLength: lengthMax,
    examples: ['Weather House'],
  });

function problemOf(name: string): { readonly code: string; readonly message: string } | undefined {
  const length = codePointLength(name);
  if (length < lengthMin) return { code: 'too_short', message: `must have at least ${lengthMin} characters` };
  if (length > lengthMax) return { code: 'too_long', message: `must have at most ${lengthMax} characters` };
  if (!plain.test(name) || /\p{M}{3}| {2}/u.test(name))
    return { code: 'invalid_characters', message: "must have letters, digits, single blanks and .,&'’()+- alone" };
  const letters = name.replaceAll(/[^\p{L}]/gu, '');
  if (!scripts.some((script) => script.test(letters)))
    return { code: 'mixed_scripts', message: 'must have letters of one script alone' };
  if (lookAlikeKey(name).includes('tollgate')) return { code: 'reserved', message: 'must not contain our own name' };
  return undefined;
}

/** Letters and digits, each with the Latin letter that it looks like. */
const likeLatin: ReadonlyMap<string, string> = new Map(
  'аa вb еe кk мm нh оo рp сc тt уy хx іl јj ѕs һh ԁd ԛq ԝw ӏl гr пn αa βb γy εe ηn ιl κk νv οo ρp τt υu χx ωw ıl il 1l 0o 5s'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** The same text for all names that people take for the same: case, accents, blanks, signs and look-alikes count for nothing. */
export function lookAlikeKey(name: string): string {
  const bare = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return Array.from(bare, (character) => likeLatin.get(character) ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}
