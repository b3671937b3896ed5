/** `vlgym sft`: supervised training on recorded episodes and chat datasets. */
import { defineCommand } from '../command-line/command.js';
import { checkNeeds } from '../command-line/needs.js';
import { CHATS, RECORDED, sftSchema } from '../supervised/options.js';
import { resumeCommand } from '../terminal/command-line.js';
import { Progress } from '../terminal/progress.js';
import { yellow } from '../terminal/style.js';

export const sft = defineCommand({
  name: 'sft',
  summary: 'train on recorded episodes and chat datasets',
  description:
    "Learns the responses of recorded episodes (successful ones, unless --episodes all) and of chat datasets in TRL's layout: `messages`, or `prompt` with `completion`, and `images`. The loss is on responses only. Weights go to OUT/policy, adapters in the layout of peft to OUT/adapter, metrics to metrics.jsonl. Ctrl-C stops; --resume continues bit for bit from the last checkpoint.",
  positional: 'data',
  options: sftSchema,
  examples: [
    { command: 'vlgym sft runs/expert --model small --epochs 3', does: 'learn from a recording' },
    { command: 'vlgym sft train.parquet more.jsonl --model tiny --out runs/sft', does: 'learn from chat datasets' },
    { command: 'vlgym sft train.parquet --model Qwen2.5-VL-3B-Instruct --lora-rank 16', does: 'adapters on a model' },
  ],
  async run(options, { signal, stdout, stderr, given }) {
    // the model is loaded for training, not for help pages
    const [{ runSft }, { weightsFact }] = await Promise.all([
      import('../supervised/run-sft.js'),
      import('../experiment/settings/task-needs.js'),
    ]);
    checkNeeds(sft, { ...options, weights: weightsFact(options.model ?? 'tiny') }, given);
    let progress: Progress | undefined;
    try {
      const result = await runSft(options, {
        signal,
        onNote: (text) => stderr.write(`${text}\n`),
        onRead: (isRecorded) => checkNeeds(sft, { ...options, examples: isRecorded ? RECORDED : CHATS }, given),
        onProblem: (message) => stderr.write(`${yellow('left out')} ${message}\n`),
        onProgress: ({ step, steps, loss }) => {
          progress ??= new Progress({ label: 'sft', total: steps, unit: 'steps', initial: step - 1, file: undefined });
          progress.update(step, `loss ${loss.toFixed(3)}`);
        },
      });
      progress?.end();
      const { examples, measured, skipped, steps, evalLoss, weights, adapter } = result;
      const held = evalLoss === undefined ? '' : `, loss ${evalLoss.toFixed(4)} on ${measured} held out`;
      stdout.write(
        `${examples} examples, ${skipped} left out, ${steps} steps${held}\n${weights}\n${adapter ? `${adapter}\n` : ''}`,
      );
      return 0;
    } catch (error) {
      if (!signal.aborted) throw error;
      stderr.write(`\nstopped; continue with: ${resumeCommand()}\n`);
      return undefined;
    }
  },
});
