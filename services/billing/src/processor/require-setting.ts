/** Returns a setting of the chosen processor. `config.ts` refuses to start without it, so its absence here is a bug. */
export function requireSetting(setting: string | undefined): string {
  if (setting === undefined) throw new Error('a setting of this processor is missing');
  return setting;
}
