/**
 * Text that the tokenizer of the `tiny` preset is trained on: what agents read and say in games, rooms, households and
 * shops, in plain English, JSON and tags. Made from templates, so that the vocabulary can be made again from nothing.
 */

/** How often a text counts. */
export type Weighted = readonly [text: string, weight: number];

const INSTRUCTIONS = `
You are an agent in a small world. You see a picture and a short text, and you answer with one JSON object.
You are playing a card game. The picture shows your cards. J, Q and K count as 10 and an ace counts as 1.
Look at the cards in the image, then choose the next number or operator for the formula.
The goal is a formula that equals 24. Use every card exactly once. End the formula with =.
The goal is a formula that equals 12. Use both cards exactly once. End the formula with =.
Current formula: empty. Choose one of these actions: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, +, -, *, /, (, ), =.
Answer as JSON with the keys cards, formula, thoughts and action.
Reach the target with - or +. JSON keys: current number, target number, thoughts, action.
Blackjack: stand or hit? JSON keys: thoughts, action.
Make 24. Formula: "(4+8". JSON keys: cards, formula, thoughts, action.
The formula so far is given. Read the cards, think about what to append, then act.
The number line shows a current number and a target number. Move left or right until both are the same: - or +.
This is blackjack. The dealer shows one card. You have a hand. Should you hit or stand? Actions: stand, hit.
Your task is to put a clean mug on the desk. Think step by step before you act.
Your last answer could not be read. Please repeat it in the right format, with one legal action.
Which action do you take next? Admissible actions are listed below, one per line.
You have 20 steps. You used 3 of them. The last action was not possible and nothing changed.
Describe what you see, explain your plan in one sentence, and give the action at the end.
The state of the room has changed since the last step. What has to be done before the task is complete?
There is a box in front of you. The red ball is on the left side of the hall, behind the green door.
Turn until you see the target, go forward, pick it up, carry it to the key, and drop it there.
The episode ends when the goal is reached or the time is over. The reward is 10 for success and -1 for a wrong move.
Instruction: find me a soft cotton shirt in black, size large, that is machine washable and costs less than 30.00 dollars.
Results for your search: page 1 (total results: 50). Back to search, next page, previous page, description, features, reviews, buy now.
Please check whether the value is correct, then continue. If not, try again with other words.
I think that the answer should be checked first, because it would not be enough to guess from what we know so far.
First, look around. Second, open the one that is closest. Then take the object and use it with the other.
The quick agent moves over the table and looks at each of these objects while its memory keeps only the last few turns.
Some people would say there are many more ways to get this done, but only one way is needed here.
`;

const WORDS = `
observation history state step goal task target current next last number value color colour position direction distance
image picture text message answer question reason thought thoughts memory format legal invalid correct wrong available
left right up down forward back front behind near far top bottom inside outside between above below
red green blue yellow white black grey purple orange pink brown
box ball key door wall room hall corner button lamp window sign health kit building duck
mug cup plate bowl knife fork spoon pan pot bread apple tomato potato lettuce egg soap cloth towel candle book pen pencil
cellphone laptop remote newspaper pillow vase statue keychain creditcard watch box alarmclock dishsponge saltshaker
desk drawer shelf cabinet countertop fridge microwave sinkbasin stoveburner garbagecan bed sidetable diningtable sofa
armchair dresser toilet bathtubbasin handtowelholder coffeemachine toaster safe cart ottoman
shoes shirt dress pants jacket coat hat bag chair table light cable phone case charger battery speaker camera mouse
cotton leather wood steel plastic gluten free sugar natural organic vegan easy clean heavy duty long short small medium
large size price dollars under over quantity pack rating brand style fit type ounce inch men women kids
hearts diamonds spades clubs ace jack queen king dealer player hand deck card cards hit stand bust
`
  .trim()
  .split(/\s+/);

const HOUSEHOLD = [
  'go to desk 1',
  'go to cabinet 4',
  'go to countertop 2',
  'take mug 1 from shelf 3',
  'take apple 2 from countertop 1',
  'put mug 1 in/on desk 1',
  'move cup 1 to shelf 2',
  'open drawer 5',
  'close fridge 1',
  'clean plate 1 with sinkbasin 1',
  'heat egg 1 with microwave 1',
  'cool tomato 1 with fridge 1',
  'use desklamp 1',
  'slice bread 1 with knife 1',
  'examine book 1',
  'inventory',
  'look',
  'On the desk 1, you see a pen 2, and a book 1.',
  'The drawer 2 is closed.',
  'You open the cabinet 1. In it, you see nothing.',
  'You are in the middle of a room. Looking quickly around you, you see a bed 1, a desk 1, and a shelf 2.',
  'You arrive at loc 4. You pick up the mug 1 from the desk 1.',
  'Nothing happens.',
];

const SHOP = [
  'search[black cotton shirt]',
  'search[gluten free bread under 20 dollars]',
  'click[buy now]',
  'click[back to search]',
  'click[next >]',
  'click[< prev]',
  'click[description]',
  'click[large]',
  'click[b01234567]',
  'Price: $19.99 Rating: 4.5 Color: black Size: large',
];

const MOVES = ['turn_left', 'turn_right', 'move_forward', 'move_back', 'pickup', 'drop', 'toggle', 'done'];

const CARD_OPERATORS = ['+', '*', '-', '/'];

/** Short prompts of the card games, and the JSON answers to them: every pair of numbers, each at another moment. */
function* cardTurns(): Generator<string> {
  for (let first = 1; first <= 10; first += 1) {
    for (let second = 1; second <= 10; second += 1) {
      const operator = CARD_OPERATORS[(first + second) % 4]!;
      const whole = `${first}${operator}${second}`;
      const [formula, action] = [
        ['', `${first}`],
        [`${first}`, operator],
        [`${first}${operator}`, `${second}`],
        [whole, '='],
      ][(first * 3 + second) % 4]!;
      yield `Make 12. Formula: "${formula}". JSON keys: cards, formula, thoughts, action.`;
      yield `{"cards": [${first}, ${second}], "formula": "${formula}", "thoughts": "${whole}=12", "action": "${action}"}`;
      const longer = `(${whole}-${first})*${second}`;
      yield `{"cards": [${first}, ${second}, ${second}, ${first}], "formula": "(${formula}", "thoughts": "${longer}=24", "action": "${action}"}`;
    }
    yield `{"current number": "${first}", "target number": "5", "thoughts": "${first}>5", "action": "-"}`;
    yield `{"thoughts": "${first + 10} vs ${first}", "action": "${first > 5 ? 'hit' : 'stand'}"}`;
  }
}

function* structuredAnswers(): Generator<string> {
  for (const action of [...MOVES, ...HOUSEHOLD.slice(0, 17), ...SHOP.slice(0, 9)]) {
    yield `{"thoughts": "The task is not done, so I ${action} next.", "action": "${action}"}`;
    yield `<think>I should ${action} now.</think><action>${action}</action>`;
    yield `<tool_call>\n{"name": "act", "arguments": {"action": "${action}"}}\n</tool_call>`;
    yield `\`\`\`json\n{\n  "observation": "${action}",\n  "reason": "it is legal",\n  "action": "${action}"\n}\n\`\`\``;
  }
}

export function* corpus(): Generator<Weighted> {
  for (const line of INSTRUCTIONS.trim().split('\n')) yield [line, 12];
  for (const word of WORDS) {
    yield [` ${word}`, 4];
    yield [word, 1];
  }
  for (const line of [...HOUSEHOLD, ...SHOP]) yield [line, 6];
  for (const text of cardTurns()) yield [text, 1];
  for (const text of structuredAnswers()) yield [text, 2];
  for (const role of ['system', 'user', 'assistant']) yield [`${role}\n`, 60];
}
