/**
 * Lint rules that oxlint does not have. `restricted-syntax` is ESLint's no-restricted-syntax: any selector, with the
 * reason as its message; `timing` is the same rule under another name, so that a folder can have both. `todo-has-issue`
 * demands an issue's number of every comment that puts something off.
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

export default {
  meta: { name: 'tollgate' },
  rules: { 'restricted-syntax': restrictedSyntax, timing: restrictedSyntax, 'todo-has-issue': todoHasIssue },
};
