/** Color only where a person looks: on a terminal, unless NO_COLOR is set. */

const color = () => (process.stdout.isTTY && !process.env.NO_COLOR) || process.env.FORCE_COLOR === '1';

const paint = (open: number, close: number) => (text: string) =>
  color() ? `\x1b[${open}m${text}\x1b[${close}m` : text;

export const bold = paint(1, 22);
export const dim = paint(2, 22);
export const red = paint(31, 39);
export const green = paint(32, 39);
export const yellow = paint(33, 39);
export const cyan = paint(36, 39);

/** Breaks at spaces so that no line is longer than `width`; existing line breaks stay. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const lines: string[] = [''];
      for (const word of line.split(' ')) {
        const last = lines.length - 1;
        const joined = lines[last] ? `${lines[last]} ${word}` : word;
        if (joined.length > width && lines[last]) lines.push(word);
        else lines[last] = joined;
      }
      return lines.join('\n');
    })
    .join('\n');
}

/** Columns padded to their widest cell; numbers align right. */
export function table(rows: readonly (readonly string[])[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: color codes take no room on the screen
  const visible = (cell: string) => cell.replace(/\x1b\[\d+m/g, '').length;
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => visible(row[column] ?? ''))));
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const gap = ' '.repeat(Math.max(0, (widths[column] ?? 0) - visible(cell)));
          return /^(?:[+−-]?[\d.]|[–<])/.test(cell) ? gap + cell : cell + gap;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `4.2 s`, `3 min 05 s`, `1 h 20 min`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}

export function percent(share: number, digits = 1): string {
  const text = (100 * share).toFixed(digits);
  // 99.5 % must not round to 100 %, nor 0.5 % to 0 %
  const overstates = share > 0 && share < 1 && ['0', '100'].includes(text);
  return `${overstates ? (100 * share).toFixed(1) : text} %`;
}

/** A cost without its currency, with as many digits as it needs: `12.40`, `0.00031`. */
export const money = (cost: number) => (cost >= 0.1 || cost === 0 ? cost.toFixed(2) : cost.toPrecision(2));

/** `1 run`, `2 runs`. */
export const counted = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
