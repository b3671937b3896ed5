/**
 * Prompts of arcade games: one action per answer, as one JSON object.
 *
 * `plain-v1` explains the game, `compact-v1` names the actions only, `words-v1` has the state in words in place of the picture.
 * A changed word is a new version.
 */
import { type Dialogue, InvalidActionError, parseResponse, type RgbImage } from '@vlgym/core';
import type { CheckedGame } from './game.js';
import type { ArcadeInfo } from './info.js';

export const ARCADE_STYLES = ['plain-v1', 'compact-v1', 'words-v1'] as const;
export type ArcadeStyle = (typeof ARCADE_STYLES)[number];

export function arcadeDialogue(
  { name, guide, labels, framesPerStep }: CheckedGame,
  style: ArcadeStyle,
): Dialogue<RgbImage, number, ArcadeInfo> {
  const isCompact = style === 'compact-v1';
  const listed = labels.map((label) => `"${label}"`).join(', ');
  const explained = [
    `${guide.goal} ${guide.rules} ${guide.score}`,
    `An action lasts ${Math.round((framesPerStep * 1000) / 60)} milliseconds of the game.`,
    `Choose the next one: ${listed}.`,
    'Answer with one valid JSON object in this form and nothing else:',
    '{"thoughts": "{what you see, what will happen next}", "action": "{one of the choices}"}',
  ].join('\n');
  const words = isCompact ? `${guide.goal} Actions: ${labels.join(', ')}. JSON keys: action.` : explained;
  return {
    version: `arcade-${name}/${style}`,
    prompt({ observation: image, info }) {
      const told = `Score: ${info.score}.\n${words}`;
      if (style === 'words-v1') return [{ role: 'user', content: `${info.state ?? ''}\n${told}` }];
      return [
        {
          role: 'user',
          content: [
            { type: 'image', image },
            { type: 'text', text: `\n${told}` },
          ],
        },
      ];
    },
    parse: (text) => parseResponse(text, { actions: labels, requiredKeys: isCompact ? [] : ['thoughts'] }),
    choices: () => labels.map((_, action) => action),
    demonstrate(_, action) {
      const label = labels[action];
      if (label === undefined) throw new InvalidActionError(action, `0 to ${labels.length - 1}`);
      return isCompact ? `{"action": "${label}"}` : `{"thoughts": "${label} is next.", "action": "${label}"}`;
    },
  };
}
