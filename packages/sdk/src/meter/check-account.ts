import type { Folder } from './folder.ts';

const accountFile = 'account.json';

/** Whether the folder belongs to this account. The first account to ask gets it: a key counts once per account. */
export async function belongsTo(folder: Folder, accountId: string): Promise<boolean> {
  const owner = ownerIn(await folder.read(accountFile));
  if (owner !== undefined) return owner === accountId;
  await folder.replace(accountFile, `${JSON.stringify({ account_id: accountId })}\n`);
  return ownerIn(await folder.read(accountFile)) === accountId;
}

function ownerIn(bytes: Buffer | undefined): string | undefined {
  try {
    const { account_id: id } = JSON.parse(bytes?.toString() ?? '') as { account_id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined; // missing, or torn by a crash
  }
}
