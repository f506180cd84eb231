import { createSealedBox } from '@tollgate/kernel/sealed-box';
import type { AuthUnderTest } from './auth-under-test.ts';

const secret = 'what seals and signs the links of these tests';

/** The settings of a Tollgate that sends mail. */
export const mailSettings = { MAIL_SECRET: secret, PUBLIC_URL: 'https://tollgate.example/app/' };

interface Row {
  readonly letter_id: string;
  readonly type: string;
  readonly link_sealed: Uint8Array | null;
}

export interface OpenLetter {
  readonly type: string;
  readonly link: string | undefined;
}

/** The letters that wait for the notifier, newest first, opened as it opens them. */
export async function lettersOf({ owner }: Pick<AuthUnderTest, 'owner'>, type?: string): Promise<OpenLetter[]> {
  const box = createSealedBox({ secret, purpose: 'mail-link' });
  const rows = await owner.query<Row>(
    'select letter_id, type, link_sealed from auth.letter where type = coalesce($1, type) order by letter_id desc',
    [type ?? null],
  );
  return rows.map(({ letter_id: id, type: each, link_sealed: sealed }) => {
    return { type: each, link: sealed === null ? undefined : box.open(sealed, id) };
  });
}

export function tokenIn(link: string): string {
  return new URL(link).searchParams.get('token') ?? '';
}

export function formOf(fields: Readonly<Record<string, string>>) {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    rawBody: new URLSearchParams(fields).toString(),
  };
}
