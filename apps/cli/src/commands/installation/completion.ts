import { z } from 'zod';
import { defineCommand } from '../../command-line/command.js';
import { completionScript, SHELLS } from '../../command-line/completion-script.js';

export const completion = defineCommand({
  name: 'completion',
  summary: 'shell completion for bash, zsh and fish',
  description:
    'Prints a script that completes commands, options, and the names of environments and algorithms. It is written for the vlgym that prints it: print it again after an update.',
  positional: 'shell',
  options: z.object({ shell: z.enum(SHELLS).describe('bash, zsh or fish') }),
  examples: [
    { command: 'vlgym completion bash', does: 'add it to ~/.bashrc: source <(vlgym completion bash)' },
    { command: 'vlgym completion fish', does: 'save it as ~/.config/fish/completions/vlgym.fish' },
  ],
  async run({ shell }, { stdout, commands }) {
    const { registeredIds } = await import('@vlgym/core');
    await import('../../environments.js');
    const { algorithmNames } = await import('../../experiment/algorithms.js');
    stdout.write(
      completionScript(shell, {
        commands: await commands(),
        words: {
          env: registeredIds(),
          envs: registeredIds(),
          algorithm: algorithmNames(),
          algorithms: algorithmNames(),
        },
      }),
    );
    return 0;
  },
});
