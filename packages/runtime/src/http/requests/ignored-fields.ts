const namesMax = 20;
/** Names come from the caller. Twenty names as long as a body would make a header that no client reads. */
const nameLengthMax = 48;

/** `X-Ignored-Fields`: the first 20 names, percent-encoded, comma-separated, each cut after 48 characters. Without names no header. */
export function ignoredFieldsHeader(names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  return { 'x-ignored-fields': names.slice(0, namesMax).map(encodeName).join(',') };
}

function encodeName(name: string): string {
  const cut = name.length > nameLengthMax ? Array.from(name).slice(0, nameLengthMax).join('') : name;
  return encodeURIComponent(cut);
}
