/** The kinds of products in the generated shop: category, names, options. Our own words. */

export type Category = 'beauty' | 'electronics' | 'fashion' | 'garden' | 'grocery';

/** Shapes in pictures of products. */
export type Shape =
  | 'bottle'
  | 'jar'
  | 'box'
  | 'bag'
  | 'shirt'
  | 'trousers'
  | 'shoe'
  | 'round'
  | 'device'
  | 'cable'
  | 'lamp'
  | 'seat'
  | 'sheet'
  | 'brush';

export type OptionKind =
  | 'color'
  | 'size'
  | 'volume'
  | 'measure'
  | 'shoe size'
  | 'length'
  | 'flavor name'
  | 'scent'
  | 'style'
  | 'item package quantity'
  | 'capacity';

export interface ProductKind {
  readonly category: Category;
  /** Query that finds it. */
  readonly query: string;
  /** Levels of the category path. */
  readonly path: readonly string[];
  /** Names, singular. */
  readonly nouns: readonly string[];
  readonly materials: readonly string[];
  readonly options: readonly OptionKind[];
  readonly shape: Shape;
  /** Center of the price range, dollars. */
  readonly price: number;
}

const SKIN = 'aloe|oat|shea|charcoal|rose water|green tea|coconut|honey|clay|argan oil';
const FABRIC = 'cotton|linen|fleece|denim|bamboo|wool|jersey|polyester|corduroy|flannel';
const LEATHER = 'leather|suede|canvas|mesh|rubber|faux leather|knit';
const WOOD = 'oak|pine|walnut|bamboo|steel|rattan|acacia|birch|marble|glass';
const PLASTIC = 'aluminum|silicone|plastic|nylon|steel|carbon|braided nylon|glass';
const FOOD = 'almond|oat|cocoa|ginger|cashew|quinoa|rice|berry|sea salt|maple';

const B = 'Beauty & Personal Care';
const E = 'Electronics';
const F = 'Clothing, Shoes & Accessories';
const G = 'Home & Garden';
const R = 'Grocery & Snacks';

/** category | path | query | nouns | materials | options | shape | price */
// biome-ignore format: one line per kind
const TABLE: readonly (readonly [Category, string, string, string, string, string, Shape, number])[] = [
  ['beauty', `${B}>Skin Care>Face>Creams`, 'face creams', 'face cream|day cream|moisturizer', SKIN, 'volume,scent', 'jar', 18],
  ['beauty', `${B}>Skin Care>Lips>Balms`, 'lip balms', 'lip balm|lip butter', SKIN, 'flavor name,item package quantity', 'jar', 7],
  ['beauty', `${B}>Hair Care>Shampoo`, 'shampoos', 'shampoo|hair wash', SKIN, 'scent,volume', 'bottle', 13],
  ['beauty', `${B}>Hair Care>Extensions & Wigs>Extensions`, 'hair extensions', 'hair extension|hair piece', 'human hair|synthetic hair|clip in hair', 'color,length', 'brush', 45],
  ['beauty', `${B}>Tools>Brushes>Makeup Brushes`, 'makeup brushes', 'makeup brush|powder brush|brush set', 'bamboo|nylon|goat hair|wood', 'color,style', 'brush', 15],
  ['beauty', `${B}>Bath>Soaps>Bar Soaps`, 'bar soaps', 'bar soap|soap block', SKIN, 'scent,item package quantity', 'box', 9],
  ['beauty', `${B}>Oral Care>Toothbrushes`, 'toothbrushes', 'toothbrush|travel toothbrush', 'bamboo|nylon|charcoal|plastic', 'color,item package quantity', 'brush', 8],
  ['beauty', `${B}>Fragrance>Candles`, 'scented candles', 'scented candle|jar candle', 'soy wax|beeswax|coconut wax', 'scent,volume', 'jar', 21],
  ['beauty', `${B}>Nails>Polish`, 'nail polishes', 'nail polish|nail lacquer', 'gel|glitter|matte|chrome', 'color,style', 'bottle', 8],
  ['electronics', `${E}>Audio>Headphones>Over-Ear`, 'headphones', 'headphones|headset', PLASTIC, 'color,style', 'device', 69],
  ['electronics', `${E}>Audio>Speakers>Portable Speakers`, 'bluetooth speakers', 'bluetooth speaker|portable speaker', PLASTIC, 'color', 'device', 48],
  ['electronics', `${E}>Accessories>Cables>Charging Cables`, 'charging cables', 'charging cable|usb cable', PLASTIC, 'color,length,item package quantity', 'cable', 11],
  ['electronics', `${E}>Accessories>Cases>Phone Cases`, 'phone cases', 'phone case|phone cover', 'silicone|leather|carbon|plastic|glass', 'color,style', 'box', 14],
  ['electronics', `${E}>Computers>Stands>Monitor Stands`, 'monitor stands', 'monitor stand|screen riser', WOOD, 'color,measure', 'seat', 36],
  ['electronics', `${E}>Computers>Input>Keyboards`, 'keyboards', 'keyboard|mechanical keyboard', PLASTIC, 'color,style', 'device', 55],
  ['electronics', `${E}>Computers>Storage>Memory Cards`, 'memory cards', 'memory card|flash card', 'plastic|metal', 'capacity', 'box', 19],
  ['electronics', `${E}>Cameras>Bags>Camera Bags`, 'camera bags', 'camera bag|camera backpack', 'canvas|nylon|leather', 'color,measure', 'bag', 52],
  ['electronics', `${E}>Television>Mounts`, 'tv mounts', 'tv mount|wall bracket', 'steel|aluminum', 'measure', 'device', 39],
  ['fashion', `${F}>Women>Clothing>Dresses>Casual`, "women's dresses", 'dress|midi dress|wrap dress', FABRIC, 'color,size', 'shirt', 38],
  ['fashion', `${F}>Women>Clothing>Tops>Blouses`, "women's blouses", 'blouse|tunic', FABRIC, 'color,size', 'shirt', 27],
  ['fashion', `${F}>Women>Shoes>Sandals`, "women's sandals", 'sandal|slide sandal', LEATHER, 'color,shoe size', 'shoe', 34],
  ['fashion', `${F}>Women>Shoes>Boots`, "women's boots", 'boot|ankle boot', LEATHER, 'color,shoe size', 'shoe', 72],
  ['fashion', `${F}>Men>Clothing>Shirts>T-Shirts`, "men's t-shirts", 't-shirt|tee', FABRIC, 'color,size', 'shirt', 19],
  ['fashion', `${F}>Men>Clothing>Trousers>Chinos`, "men's trousers", 'trousers|chinos', FABRIC, 'color,size', 'trousers', 42],
  ['fashion', `${F}>Men>Clothing>Jackets`, "men's jackets", 'jacket|windbreaker', FABRIC, 'color,size', 'shirt', 65],
  ['fashion', `${F}>Men>Shoes>Sneakers`, "men's sneakers", 'sneaker|running shoe', LEATHER, 'color,shoe size', 'shoe', 58],
  ['fashion', `${F}>Unisex>Accessories>Hats`, 'hats', 'hat|beanie|cap', FABRIC, 'color,style', 'round', 17],
  ['fashion', `${F}>Unisex>Accessories>Bags>Backpacks`, 'backpacks', 'backpack|day pack', 'canvas|nylon|leather|polyester', 'color,size', 'bag', 46],
  ['garden', `${G}>Furniture>Living Room>Sofas`, 'sofas', 'sofa|loveseat', 'linen|velvet|leather|wool', 'color,measure', 'seat', 540],
  ['garden', `${G}>Furniture>Kitchen>Bar Stools`, 'bar stools', 'bar stool|counter stool', WOOD, 'color,measure', 'seat', 95],
  ['garden', `${G}>Furniture>Office>Desks`, 'desks', 'desk|writing desk', WOOD, 'color,measure', 'seat', 180],
  ['garden', `${G}>Textiles>Rugs>Area Rugs`, 'area rugs', 'area rug|carpet', 'wool|jute|cotton|polyester', 'color,measure', 'sheet', 110],
  ['garden', `${G}>Textiles>Curtains`, 'curtains', 'curtain|curtain panel', FABRIC, 'color,measure', 'sheet', 33],
  ['garden', `${G}>Textiles>Bedding>Pillow Covers`, 'pillow covers', 'pillow cover|cushion cover', FABRIC, 'color,measure,item package quantity', 'sheet', 16],
  ['garden', `${G}>Lighting>Table Lamps`, 'table lamps', 'table lamp|desk lamp', WOOD, 'color,style', 'lamp', 44],
  ['garden', `${G}>Lighting>String Lights`, 'string lights', 'string light|fairy light', PLASTIC, 'color,length', 'cable', 18],
  ['garden', `${G}>Kitchen>Storage>Food Jars`, 'storage jars', 'storage jar|canister', WOOD, 'color,item package quantity', 'jar', 24],
  ['garden', `${G}>Plants>Planters`, 'planters', 'planter|flower pot', 'clay|ceramic|bamboo|steel', 'color,measure', 'round', 26],
  ['grocery', `${R}>Snacks>Bars>Granola Bars`, 'granola bars', 'granola bar|snack bar', FOOD, 'flavor name,item package quantity', 'box', 15],
  ['grocery', `${R}>Snacks>Nuts>Trail Mixes`, 'trail mixes', 'trail mix|nut mix', FOOD, 'flavor name,volume', 'bag', 17],
  ['grocery', `${R}>Snacks>Chips`, 'chips', 'chips|crisps', FOOD, 'flavor name,item package quantity', 'bag', 12],
  ['grocery', `${R}>Beverages>Tea>Herbal Teas`, 'herbal teas', 'herbal tea|tea blend', 'mint|chamomile|hibiscus|rooibos|lemon|ginger', 'flavor name,item package quantity', 'box', 11],
  ['grocery', `${R}>Beverages>Coffee>Ground Coffee`, 'ground coffees', 'ground coffee|coffee blend', 'arabica|robusta|dark roast|light roast', 'flavor name,volume', 'bag', 19],
  ['grocery', `${R}>Baking>Mixes>Pancake Mixes`, 'pancake mixes', 'pancake mix|waffle mix', FOOD, 'flavor name,volume', 'box', 10],
  ['grocery', `${R}>Sauces>Pasta Sauces`, 'pasta sauces', 'pasta sauce|tomato sauce', 'basil|garlic|pepper|olive|mushroom', 'flavor name,item package quantity', 'jar', 9],
  ['grocery', `${R}>Sweets>Chocolate`, 'chocolates', 'chocolate bar|chocolate bites', 'cocoa|hazelnut|sea salt|orange|caramel', 'flavor name,item package quantity', 'box', 8],
];

export const KINDS: readonly ProductKind[] = TABLE.map(
  ([category, path, query, nouns, materials, options, shape, price]) => ({
    category,
    query,
    path: path.split('>'),
    nouns: nouns.split('|'),
    materials: materials.split('|'),
    options: options.split(',') as OptionKind[],
    shape,
    price,
  }),
);
