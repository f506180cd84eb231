import { renderForgotten } from '../mail-links/render-mail-link.ts';
import { escapeHtml, renderPage } from '@tollgate/runtime/pages/render-page';

export interface SignInView {
  readonly formToken: string;
  readonly email: string;
  readonly problem: string | undefined;
  readonly clientName: string;
  readonly offersSignUp: boolean;
  /** Where a forgotten password is replaced; undefined without mail. */
  readonly resetUrl: string | undefined;
}

const emailField = (email: string) =>
  `<label class="field"><span>E-mail</span><input type="email" name="email" required maxlength="254" autocomplete="username" value="${escapeHtml(email)}"></label>`;

/** The buttons that lead elsewhere need none of the fields. */
const elsewhere = (answer: string, text: string) =>
  `<button class="quiet" name="answer" value="${answer}" formnovalidate>${text}</button>`;

export function renderSignIn(view: SignInView): string {
  const { formToken, email, problem, clientName, offersSignUp, resetUrl } = view;
  return page({
    title: 'Sign in',
    problem,
    text: `${escapeHtml(clientName)} asks to spend money for you. First sign in; then you see what it asks for.`,
    formToken,
    fields: `${emailField(email)}
        <label class="field"><span>Password</span><input type="password" name="password" required maxlength="128" autocomplete="current-password"></label>
        <button class="primary" name="answer" value="sign_in">Sign in</button>
        ${offersSignUp ? elsewhere('show_sign_up', 'Create an account') : ''}
        ${renderForgotten(resetUrl)}`,
  });
}

export function renderSignUp({ formToken, email, problem, clientName }: Omit<SignInView, 'offersSignUp'>): string {
  return page({
    title: 'Create an account',
    problem,
    text: `With it you pay for what programs such as ${escapeHtml(clientName)} call, up to limits that you set.`,
    formToken,
    fields: `${emailField(email)}
        <label class="field"><span>Password</span><input type="password" name="password" required maxlength="128" autocomplete="new-password"></label>
        <button class="primary" name="answer" value="sign_up">Create the account</button>
        ${elsewhere('show_sign_in', 'I have an account')}`,
  });
}

export function renderSecondFactor({
  formToken,
  email,
  problem,
}: Omit<SignInView, 'clientName' | 'offersSignUp' | 'resetUrl'>): string {
  return page({
    title: 'Second factor',
    problem,
    text: `Type the code that your authenticator app shows for ${escapeHtml(email)}, or a recovery code.`,
    formToken,
    fields: `<label class="field"><span>Code</span><input name="code" required maxlength="64" autocomplete="one-time-code" autofocus></label>
        <button class="primary" name="answer" value="code">Continue</button>
        ${elsewhere('sign_out', 'Use another account')}`,
  });
}

/** The same for unknown, used and expired requests, and for those of another browser. */
export function renderInteractionGone(): string {
  return renderPage({
    title: 'This request has expired · Tollgate',
    header: '<span>Tollgate</span>',
    content: `<h1>This request has expired</h1>
      <p>It was answered already, took too long, or began in another browser. Go back to your program, and let it connect again.</p>`,
  });
}

interface Parts {
  readonly title: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly formToken: string;
  readonly fields: string;
}

function page({ title, text, problem, formToken, fields }: Parts): string {
  const content = `<h1>${title}</h1>
      ${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
      <p>${text}</p>
      <form method="post">
        <input type="hidden" name="form" value="${formToken}">
        ${fields}
      </form>`;
  return renderPage({ title: `${title} · Tollgate`, header: '<span>Tollgate</span>', content });
}
