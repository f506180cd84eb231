/**
 * Lint rules that oxlint does not have. `restricted-syntax` is ESLint's no-restricted-syntax: any selector, with the
 * reason as its message; `timing` is the same rule under another name, so that a folder can have both. `todo-has-issue`
 * demands an issue's number of every comment that puts something off. `comment-has-subject` refuses a comment whose reader
 * must look for its subject; begins-with-subject.test.ts asks the same of SQL, shell and Python.
 */
const restrictedSyntax = {
  meta: { schema: { type: 'array' } },
  create(context) {
    const visitors = {};
    for (const { selector, message } of context.options) {
      visitors[selector] = (node) => context.report({ node, message });
    }
    return visitors;
  },
};

const todoHasIssue = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (/\b(?:TODO|FIXME|XXX)\b(?! ?\(?#\d+)/.test(comment.value)) {
            context.report({ node: comment, message: 'Name the issue: TODO (#12). Otherwise do it or drop it.' });
          }
        }
      },
    };
  },
};

/** Matches the text of a comment that lacks a subject. */
export const lacksSubject = /^[\s*]*(?:Of|Who|Whose|Whoever|What|Not|Last|Those|By)\b(?!-)/i;

const commentHasSubject = {
  create(context) {
    return {
      Program() {
        let before;
        for (const comment of context.sourceCode.getAllComments()) {
          const goesOn = before?.type === 'Line' && before.loc.end.line + 1 === comment.loc.start.line;
          const isSameColumn = before?.loc.start.column === comment.loc.start.column;
          if (lacksSubject.test(comment.value) && !(goesOn && isSameColumn)) {
            context.report({ node: comment, message: 'Begin the comment with its subject, or with its verb.' });
          }
          before = comment;
        }
      },
    };
  },
};

export default {
  meta: { name: 'tollgate' },
  rules: {
    'restricted-syntax': restrictedSyntax,
    timing: restrictedSyntax,
    'todo-has-issue': todoHasIssue,
    'comment-has-subject': commentHasSubject,
  },
};
