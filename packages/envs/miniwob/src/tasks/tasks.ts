/** The tasks: 125 of the 128 registered ids of miniwob 1.1.0, without the three that are copies of airlines' sites. */

/** Kinds of tasks, by the main activity. */
export const KINDS = ['click', 'type', 'choose', 'form', 'draw', 'read', 'mail'] as const;
export type TaskKind = (typeof KINDS)[number];

/** Names by kind and level: 1 is a click or a field, 2 several steps, 3 search, geometry or reasoning. */
const TABLE = `
click 1: click-button click-button-sequence click-dialog click-dialog-2 click-link click-option click-tab click-test click-test-2
click 1: click-test-transfer click-widget focus-text focus-text-2 unicode-test click-color click-collapsible click-collapsible-nodelay
click 2: ascending-numbers click-checkboxes click-checkboxes-large click-checkboxes-soft click-checkboxes-transfer click-collapsible-2
click 2: click-collapsible-2-nodelay click-menu click-menu-2 click-pie click-pie-nodelay click-scroll-list click-tab-2 click-tab-2-easy
click 2: click-tab-2-medium click-tab-2-hard click-shades click-shape navigate-tree odd-or-even
click 3: hot-cold number-checkboxes tic-tac-toe stock-market generate-number
type 1: enter-text enter-text-2 enter-text-dynamic enter-password enter-date enter-time text-transform
type 2: copy-paste copy-paste-2 find-word scroll-text scroll-text-2 use-autocomplete use-autocomplete-nodelay terminal text-editor
type 3: guess-number simple-algebra simple-arithmetic
choose 1: choose-list use-spinner
choose 2: choose-date choose-date-easy choose-date-medium choose-date-nodelay use-slider use-slider-2 use-colorwheel use-colorwheel-2
form 1: login-user
form 2: login-user-popup form-sequence form-sequence-2 form-sequence-3 multi-layouts multi-orderings sign-agreement
form 3: book-flight book-flight-nodelay buy-ticket order-food daily-calendar
draw 2: circle-center drag-box drag-circle drag-items drag-items-grid drag-shapes drag-shapes-2 drag-single-shape drag-sort-numbers
draw 2: draw-circle draw-line highlight-text highlight-text-2 resize-textarea
draw 3: bisect-angle drag-cube find-midpoint grid-coordinate right-angle
read 2: count-shape count-sides find-greatest identify-shape read-table read-table-2 search-engine phone-book visual-addition
mail 2: email-inbox-delete email-inbox-important email-inbox-reply email-inbox-forward social-media
mail 3: email-inbox email-inbox-noscroll email-inbox-star-reply email-inbox-forward-nl email-inbox-forward-nl-turk
mail 3: email-inbox-nl-turk social-media-all social-media-some
`;

export interface MiniWoBTask {
  readonly name: string;
  readonly kind: TaskKind;
  readonly level: 1 | 2 | 3;
  /** The picture changes with time alone, so an agent has to look in time. */
  readonly timed: boolean;
  /** The page loads a script under another license than MIT or BSD, which the user's copy brings. */
  readonly license?: string;
}

const TIMED = new Set(['stock-market', 'terminal', 'drag-cube']);
const LICENSES: Readonly<Record<string, string>> = {
  'use-colorwheel': 'GPL-3.0 or commercial (jscolor)',
  'use-colorwheel-2': 'GPL-3.0 or commercial (jscolor)',
};

export const TASKS: ReadonlyMap<string, MiniWoBTask> = new Map(
  TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const [head, names] = line.split(': ') as [string, string];
      const [kind, level] = head.split(' ') as [TaskKind, string];
      return names.split(' ').map((name): [string, MiniWoBTask] => {
        const license = LICENSES[name];
        const levelOf = Number(level) as MiniWoBTask['level'];
        return [
          name,
          { name, kind, level: levelOf, timed: TIMED.has(name), ...(license !== undefined && { license }) },
        ];
      });
    }),
);

export const isTaskName = (name: string): boolean => TASKS.has(name);
