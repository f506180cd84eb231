/** An archive that is missing or damaged, or a wish that cannot be fulfilled. The message is for the operator. */
export class KeyArchiveError extends Error {
  override readonly name = 'KeyArchiveError';
}
