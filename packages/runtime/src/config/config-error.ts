export interface ConfigProblem {
  readonly name: string;
  readonly message: string;
}

/** One message that lists every wrong setting, ready to print. It has no values of secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map((problem) => `  ${problem.name}: ${problem.message}`);
    const count = problems.length === 1 ? 'One setting is' : `${problems.length} settings are`;
    super([`${count} not right:`, ...lines].join('\n'));
    this.problems = problems;
  }
}
