/** Length in code points: an emoji of two UTF-16 units counts once. All limits on text are in code points. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    if (isLeadSurrogate(text.charCodeAt(index)) && isTrailSurrogate(text.charCodeAt(index + 1))) {
      length--;
      index++;
    }
  }
  return length;
}

/** True for text that PostgreSQL and UTF-8 can hold: no NUL and no lone surrogates. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether an answer or a terminal may repeat the text: it is short, and moves no cursor. */
export function isPlainName(text: string): boolean {
  return /^[\x20-\x7e]{1,100}$/.test(text);
}

function isLeadSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTrailSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
