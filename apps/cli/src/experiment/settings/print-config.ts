/** `--print-config`: every value in force as a config file, with its origin as a comment. */
import { withoutPassword } from '../../queue-run/options.js';
import { runControl } from '../controls/index.js';
import { optionsOf, valueText } from '../run-options.js';
import type { RunPlan } from '../spec.js';
import { effectiveSettings, type Setting } from './effective-settings.js';

/** YAML that `--config` reads. */
export function configText(plan: Omit<RunPlan, 'folder' | 'start'>): string {
  const { control } = plan;
  const plays = control === undefined || runControl(control).kind === 'algorithm';
  const inForce = ({ name }: Setting) => (plays || !OF_PLAY.includes(name)) && (!control || name !== 'algorithm');
  const settings = effectiveSettings(plan);
  const [options, fixed] = [settings.options.filter(inForce), settings.fixed.filter(inForce)];
  const resolved = plays ? optionsOf(plan).options : [];
  const rows = [
    ...options.map((setting) => row(shown(setting), setting.origin)),
    ...(resolved.length > 0 ? [['set:', '']] : []),
    ...resolved
      .filter(({ value }) => value !== undefined)
      .map(({ value, own, ...option }) => {
        const isOwn = JSON.stringify(value) === JSON.stringify(own);
        const note = isOwn ? option.origin : `${option.origin}; the algorithm's own is ${valueText(own)}`;
        return row({ name: `  ${option.name}`, value }, note);
      }),
    ...fixed.map((setting) => row({ ...setting, name: `# ${setting.name}` }, setting.origin)),
  ];
  const width = Math.min(56, Math.max(...rows.map(([text]) => text!.length)));
  return `${rows.map(([text, note]) => (note ? `${text!.padEnd(width)} # ${note}` : text!)).join('\n')}\n`;
}

/** Options that a control by imitation does not use. */
const OF_PLAY = ['numEnvs', 'envWorkers', 'evaluateEvery'];

const row = ({ name, value }: Pick<Setting, 'name' | 'value'>, note: string) => [`${name}: ${yaml(value)}`, note];

/** A password does not belong on a screen. */
const shown = ({ name, value, origin }: Setting): Setting => ({
  name,
  value: name === 'redis' && typeof value === 'string' ? withoutPassword(value) : value,
  origin,
});

/** JSON is YAML; a plain word needs no quotes. */
const yaml = (value: unknown): string =>
  typeof value === 'string' && /^[a-z][\w./-]*$/i.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value)
    ? value
    : (JSON.stringify(value) ?? 'null');
