const namesMax = 20;
/** Names come from the caller: twenty of them as long as a body would be a header that no client reads. */
const nameLengthMax = 48;

/** `X-Ignored-Fields`: percent-encoded, comma-separated, the first 20; a name is cut after 48 characters. No names, no header. */
export function ignoredFieldsHeader(names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  return { 'x-ignored-fields': names.slice(0, namesMax).map(encodeName).join(',') };
}

function encodeName(name: string): string {
  const cut = name.length > nameLengthMax ? Array.from(name).slice(0, nameLengthMax).join('') : name;
  return encodeURIComponent(cut);
}
