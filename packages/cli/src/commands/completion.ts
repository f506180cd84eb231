import type { Command } from 'commander';

const shells = ['bash', 'zsh', 'fish'] as const;

/** Scripts by which shells complete the names of commands. */
export function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description(`print a script for ${shells.join(', ')}: source <(tollgate completion bash)`)
    .action((shell: string) => {
      const script = completionScript(program, shell);
      if (script === undefined) throw new Error(`there are scripts for ${shells.join(', ')}`);
      process.stdout.write(script);
    });
}

/** Undefined for another shell. */
export function completionScript(program: Command, shell: string): string | undefined {
  const top = namesOf(program);
  const groups = program.commands.filter(({ commands }) => commands.length > 0);
  if (shell === 'fish') {
    const lines = groups.map((group) => fishLine(`__fish_seen_subcommand_from ${group.name()}`, namesOf(group)));
    return [fishLine('__fish_use_subcommand', top), ...lines, ''].join('\n');
  }
  if (shell !== 'bash' && shell !== 'zsh') return undefined;
  const cases = groups.map((group) => `    ${group.name()}) words="${namesOf(group)}";;`);
  const compat = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return `${compat}_tollgate() {
  local words=""
  [ "$COMP_CWORD" = 1 ] && words="${top}"
  [ "$COMP_CWORD" = 2 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _tollgate tollgate
`;
}

function namesOf(command: Command): string {
  return command.commands.map((sub) => sub.name()).join(' ');
}

function fishLine(condition: string, words: string): string {
  return `complete -c tollgate -f -n '${condition}' -a '${words}'`;
}
