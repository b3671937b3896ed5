/** Environments that need no files and no browser, as small as they get. */
import '@vlgym/alfworld';
import '@vlgym/miniworld';
import '@vlgym/points24';
import '@vlgym/webshop';

export interface EnvironmentChoice {
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Draws a picture at each step. */
  readonly pictures: boolean;
}

const small = { obsWidth: 32, obsHeight: 24 };
const cards = ['Points24', 'EZPoints', 'NumberLine', 'Blackjack'].map((name) => `vlgym/${name}-v1`);
const rooms = ['Hallway', 'Maze', 'PutNext', 'Sign', 'CollectHealth', 'FourRooms', 'Sidewalk', 'TMaze'];

export const ENVIRONMENTS: readonly EnvironmentChoice[] = [
  ...cards.map((id) => ({ id, options: {}, pictures: true })),
  ...rooms.map((name) => ({ id: `MiniWorld-${name}-v0`, options: small, pictures: true })),
  { id: 'vlgym/ALFWorld-v1', options: {}, pictures: false },
  { id: 'vlgym/ALFWorldPictures-v1', options: small, pictures: true },
  { id: 'vlgym/WebShop-v1', options: { catalog: { products: 200 } }, pictures: false },
];
