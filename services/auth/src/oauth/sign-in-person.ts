import { hash } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import { registerSchema } from '@tollgate/contracts/accounts/accounts';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { parseBody } from '@tollgate/runtime/http/requests/parse';
import { decodeJwt } from 'jose';
import { asSession } from '../accounts/as-session.ts';
import type { BegunSession, CheckedPassword, PresentedFactor, SignInSteps } from '../accounts/begin-session.ts';
import type { RecordRefusals } from '../accounts/record-refusals.ts';
import type { RegisterAccount } from '../accounts/register-account.ts';
import { readAccount } from '../accounts/sql-account.ts';
import type { SignInState } from './sign-in-state.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly signInSteps: SignInSteps;
  readonly recordRefusals: RecordRefusals;
  readonly registerAccount: RegisterAccount;
  /** The pages of which the sign-in is part, for its row in the trail. */
  readonly by: 'oauth' | 'approval';
}

type Credentials = { readonly email: string; readonly password: string };
type CodeState = Extract<SignInState, { stage: 'code' }>;
type DoneState = Extract<SignInState, { stage: 'done' }>;

/** The ways in of the pages. Each throws what the route of the API that does the same throws. */
export interface SignInPerson {
  /** Gives the stage `code` where the account has a second factor: the password was right. */
  signIn(credentials: Credentials, by: Actor): Promise<SignInState>;
  signUp(credentials: Credentials, by: Actor): Promise<DoneState>;
  enterCode(state: CodeState, code: PresentedFactor, by: Actor): Promise<DoneState>;
}

export function createSignInPerson({
  api,
  signInSteps,
  recordRefusals,
  registerAccount,
  by: pages,
}: Deps): SignInPerson {
  const enterCode = recordRefusals.ofSignIn(
    async ({ state, factor }: Credentials & { readonly state: CodeState; readonly factor: PresentedFactor }, by) => {
      const { accountId, email, passwordHash: digest } = state;
      const account = await api.transaction((tx) => readAccount(tx, accountId), { accountId });
      if (account === undefined || digestOf(account.passwordHash) !== digest)
        throw new AppError('invalid_credentials', 'The password was changed. Sign in again.');
      return begin({ ...account, email }, factor, by);
    },
  );

  async function begin(
    { email, ...checked }: CheckedPassword & { readonly email: string },
    factor: PresentedFactor,
    by: Actor,
  ): Promise<DoneState> {
    let sessionId = '';
    await signInSteps.begin(checked, factor, async (tx, begun) => {
      ({ sessionId } = begun.session);
      await recordSignIn(tx, begun, { by, pages });
    });
    return { stage: 'done', email, accountId: checked.accountId, sessionId };
  }

  return {
    signIn: recordRefusals.ofSignIn(async (credentials: Credentials, by) => {
      const { email } = credentials;
      const checked = await signInSteps.checkPassword(credentials);
      return begin({ ...checked, email }, {}, by).catch((error: unknown): SignInState => {
        if (!(error instanceof AppError) || error.code !== 'second_factor_required') throw error;
        const { accountId, passwordHash } = checked;
        return { stage: 'code', email, accountId, passwordHash: digestOf(passwordHash) };
      });
    }),
    async signUp(credentials, by) {
      const { value } = parseBody(registerSchema, credentials);
      const { accessToken } = await registerAccount(value, by);
      const { sub: accountId = '', sid } = decodeJwt<{ sid: string }>(accessToken); // our own, just made
      return { stage: 'done', email: value.email, accountId, sessionId: sid };
    },
    enterCode: (state, factor, by) => enterCode({ email: state.email, password: '', state, factor }, by),
  };
}

/** Shows later whether the password is still that which was right; the hash itself stays in its row. */
function digestOf(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
}

async function recordSignIn(
  tx: Transaction,
  { session, factor }: BegunSession,
  { by, pages }: { readonly by: Actor; readonly pages: Deps['by'] },
): Promise<void> {
  const { accountId } = session;
  const detail = { by: pages, ...(factor !== undefined && { factor }) };
  const object = { kind: 'account', id: accountId };
  await recordAct(tx, asSession(by, session), { action: 'account.signed_in', accountId, object, detail });
}
