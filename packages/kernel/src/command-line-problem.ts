/** The mistake in a command line, from the message of the library that reads it: in one line, with the way out. */
export function commandLineProblem(message: string): string {
  const words = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll(/\s+/g, ' ');
  return `${words}. \`--help\` shows what there is.`;
}
