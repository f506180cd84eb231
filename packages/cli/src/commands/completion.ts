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
  const groups = groupsOf(program);
  if (shell === 'fish') {
    const lines = groups.map((group) => fishLine(`__fish_seen_subcommand_from ${group.name()}`, namesOf(group)));
    const below = groups.flatMap((group) =>
      groupsOf(group).map((sub) =>
        fishLine(
          `__fish_seen_subcommand_from ${group.name()}; and __fish_seen_subcommand_from ${sub.name()}`,
          namesOf(sub),
        ),
      ),
    );
    return [fishLine('__fish_use_subcommand', top), ...lines, ...below, ''].join('\n');
  }
  if (shell !== 'bash' && shell !== 'zsh') return undefined;
  const cases = groups.map((group) => `    ${group.name()}) words="${namesOf(group)}";;`);
  const casesBelow = groups.flatMap((group) =>
    groupsOf(group).map((sub) => `    "${group.name()} ${sub.name()}") words="${namesOf(sub)}";;`),
  );
  const compat = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return `${compat}_tollgate() {
  local words=""
  [ "$COMP_CWORD" = 1 ] && words="${top}"
  [ "$COMP_CWORD" = 2 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" = 3 ] && case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${casesBelow.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _tollgate tollgate
`;
}

function groupsOf({ commands }: Command): readonly Command[] {
  return commands.filter((sub) => sub.commands.length > 0);
}

function namesOf(command: Command): string {
  return command.commands.map((sub) => sub.name()).join(' ');
}

function fishLine(condition: string, words: string): string {
  return `complete -c tollgate -f -n '${condition}' -a '${words}'`;
}
