/** The words for what our books and the processor tell apart; none where both tell the same. */
export function differing(what: string, ours: string, theirs: string): string[] {
  return ours === theirs ? [] : [`${what} ${ours} with us, ${theirs} at the processor`];
}
