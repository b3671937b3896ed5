/** Color words of the reward, in search order (`web_agent_site/engine/normalize.py`). */
export const COLORS: readonly string[] = (
  'alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown burgundy camel camo ' +
  'caramel champagne charcoal cheetah chestnut chocolate christmas coffee cognac copper coral cranberry cream crystal ' +
  'dark denim eggplant elephant espresso fuchsia gold granite grape graphite grass gray green grey heather indigo ' +
  'ivory ivy khaki lavender lemon leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor ' +
  'mushroom mustard natural navy nude olive orange peach pewter pink plum purple rainbow red rose royal rust sand ' +
  'sapphire seashell silver skull slate steel stone stonewash sunflower tan taupe teal tiger turquoise violet walnut ' +
  'wheat white wine yellow'
).split(' ');

/** The first color word contained in a value replaces it: `redwood` → `red`, `stand` → `tan`. */
export function normalizeColor(value: string): string {
  return COLORS.find((color) => value.includes(color)) ?? value;
}
