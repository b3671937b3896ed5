/**
 * Pictures of Blackjack: the dealer's first card and a hidden one above, the player's cards below.
 *
 * Layout: `RL4VLM/RL4VLM` (MIT), `gym-cards/gym_cards/envs/blackjack.py`; cards and letters are drawn here.
 */
import type { RgbImage } from '@vlgym/core';
import { BACK, cardSprite, TABLE_GREEN } from '../art/card-art.js';
import { bold } from '../art/glyphs.generated.js';
import { Canvas, type DrawIntoOptions, type Size } from './canvas.js';
import { isSmall, type Point, PublishedScale, rowOfCards } from './layout.js';

export interface BlackjackPictureOptions {
  /**
   * `wrap`, as published: a fifth card is outside the picture, further ones are half below its edge. `narrow`: cards
   * become narrower, so that all are visible.
   */
  readonly overflow: 'wrap' | 'narrow';
}

/** Layout of the published pictures, for `wrap`. */
const CARDS_PER_ROW = 5;
const ROWS_SHOWN = 2;

/** The player's cards of which a part lies in a picture of the published size. */
export function cardsShown(player: readonly string[], { overflow }: BlackjackPictureOptions): readonly string[] {
  if (overflow === 'narrow') return player;
  return player.filter((_, at) => at % CARDS_PER_ROW < CARDS_PER_ROW - 1 && at < ROWS_SHOWN * CARDS_PER_ROW);
}

interface Row {
  readonly card: Size;
  readonly places: readonly Point[];
}

export class BlackjackPicture {
  readonly #size: Size;
  readonly #overflow: 'wrap' | 'narrow';
  readonly #empty: Canvas;
  readonly #canvas: Canvas;
  /** Indexed by number of cards. */
  readonly #playerRows: Row[] = [];
  readonly #dealerRow: Row;
  #player: readonly string[] = [];

  constructor(size: Size, { overflow }: BlackjackPictureOptions) {
    this.#size = size;
    this.#overflow = overflow;
    this.#empty = new Canvas(size, TABLE_GREEN);
    this.#canvas = new Canvas(size, TABLE_GREEN);
    this.#dealerRow = this.#placeDealer();
    this.#writeLabels();
    this.#canvas.restoreRows(this.#empty, 0, size.height);
    this.#paste([BACK], this.#dealerRow, 1);
  }

  /** Draws a new hand: the dealer's open card and the player's cards. */
  deal(dealer: string, player: readonly string[]): void {
    const row = this.#playerRow(player.length);
    // The cards of a new hand cover two cards of the old one exactly; only further cards are left.
    if (this.#player.length > 2 || player.length > 2) this.#clearPlayer();
    this.#paste([dealer], this.#dealerRow);
    this.#paste(player, row);
    this.#player = player;
  }

  /** Draws the player's cards after a hit. */
  draw(player: readonly string[]): void {
    if (player.length === this.#player.length) return;
    const row = this.#playerRow(player.length);
    const before = this.#playerRow(this.#player.length);
    if (row.card.width === before.card.width && row.places[0]?.x === before.places[0]?.x) {
      this.#paste(player.slice(this.#player.length), row, this.#player.length);
    } else {
      this.#clearPlayer();
      this.#paste(player, row);
    }
    this.#player = player;
  }

  /** Draws both hands with all cards open, as after the end. */
  open(dealer: readonly string[], player: readonly string[]): void {
    this.#canvas.restoreRows(this.#empty, 0, this.#size.height);
    this.#paste(dealer, this.#placeRow(0, dealer.length));
    this.#paste(player, this.#placeRow(1, player.length));
    this.#player = player;
  }

  copy(): RgbImage {
    return this.#canvas.copy();
  }

  observe(last: boolean): RgbImage {
    return this.#canvas.observe(last);
  }

  drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void {
    this.#canvas.drawInto(frame, options);
  }

  #paste(cards: readonly string[], { card, places }: Row, from = 0): void {
    for (const [index, name] of cards.entries()) {
      const { x, y } = places[from + index]!;
      this.#canvas.paste(cardSprite(name, card.width, card.height), x, y);
    }
  }

  #clearPlayer(): void {
    const { height } = this.#size;
    const top = isSmall(this.#size) ? Math.ceil(height / 2) : this.#playerRow(2).places[0]!.y;
    this.#canvas.restoreRows(this.#empty, top, height);
  }

  #writeLabels(): void {
    const scale = new PublishedScale(this.#size);
    const labels = isSmall(this.#size)
      ? ['D', 'P'].map((text, row) => ({ text, ...this.#smallLabel(row) }))
      : [
          { text: 'Dealer', ...scale.text(5, 5, 16) },
          { text: 'Player', ...scale.text(5, 130, 16) },
        ];
    for (const { text, x, y, size } of labels) {
      this.#empty.write(text, x, y, { font: bold, size, color: [255, 255, 255] });
    }
  }

  #smallLabel(row: number): Point & { readonly size: number } {
    const { height } = this.#size;
    const size = Math.max(7, Math.min(16, Math.round(height * 0.14)));
    return { x: 2, y: Math.round((height * (1 + 2 * row)) / 4 - size * 0.58), size };
  }

  #smallRow(row: number, count: number): Row {
    const { height, width } = this.#size;
    const { size } = this.#smallLabel(row);
    const middle = height / 2;
    const [top, bottom] = row === 0 ? [1, Math.floor(middle) - 1] : [Math.ceil(middle) + 1, height - 1];
    const fitted = rowOfCards(Math.max(2, count), { left: 4 + size, right: width - 1, top, bottom }, 1);
    // Left-aligned instead of centered, so that dealt cards do not move.
    const shift = fitted.places[0]!.x - (4 + size);
    return { ...fitted, places: fitted.places.map(({ x, y }) => ({ x: x - shift, y })) };
  }

  #placeDealer(): Row {
    if (isSmall(this.#size)) return this.#smallRow(0, 2);
    const scale = new PublishedScale(this.#size);
    return {
      card: { width: scale.length(70), height: scale.length(98) },
      places: [scale.point(5, 25), scale.point(78, 25)],
    };
  }

  #playerRow(count: number): Row {
    this.#playerRows[count] ??= this.#placeRow(1, count);
    return this.#playerRows[count];
  }

  /** @param row  0 for the dealer, 1 for the player. */
  #placeRow(row: 0 | 1, count: number): Row {
    if (isSmall(this.#size)) return this.#smallRow(row, count);
    const scale = new PublishedScale(this.#size);
    const narrowed = this.#overflow === 'narrow' && count > 4;
    const step = narrowed ? 296 / count : 74;
    const perRow = this.#overflow === 'narrow' ? Number.POSITIVE_INFINITY : CARDS_PER_ROW;
    return {
      card: { width: scale.length(narrowed ? step - 3 : 70), height: scale.length(98) },
      places: Array.from({ length: count }, (_, index) =>
        scale.point(5 + step * (index % perRow), [25, 150][row]! + 102 * Math.floor(index / perRow)),
      ),
    };
  }
}
