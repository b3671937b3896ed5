/**
 * The pages of the shop. Elements, their order, and their texts are those of section 3 of `docs/specs/webshop.md`;
 * the surroundings are ours.
 */
import type { Product } from '../catalog/product.js';
import { pythonFloat, templateJson } from '../python/text.js';
import { type Child, type Element, h } from './element.js';
import { type Session, SUB_PAGES } from './session.js';

/** Contents of a page. */
export interface PageContent {
  readonly session: Session;
  /** The products on this results page. */
  readonly products: readonly Product[];
  /** The open product, if there is one. */
  readonly product: Product | undefined;
  readonly showAttributes: boolean;
  /** Whether "Buy Now" leads to the cart. */
  readonly cart: boolean;
  /** Address of the picture of a product with chosen options (name → value); the original links to the seller's. */
  readonly imageOf: (product: Product, options?: ReadonlyMap<string, string>) => string;
}

export function pageOf(content: PageContent): Element {
  const { page } = content.session;
  const parts = {
    index: indexPage,
    results: resultsPage,
    item: itemPage,
    'sub-page': subPage,
    cart: cartPage,
    done: donePage,
  }[page](content);
  return h('div', { id: 'shop', class: `page-${page}` }, ...parts);
}

const button = (label: string, kind = 'btn-primary', more: Readonly<Record<string, string>> = {}) =>
  h('button', { ...more, class: `btn ${kind}`, type: 'submit' }, label);
const form = (name: string, ...children: Child[]) => h('form', { method: 'post', 'data-action': name }, ...children);
const heading = (label: string, { goal }: Session) =>
  h('div', { id: 'instruction-text' }, h('h4', label, h('br'), goal.instruction));
const backToSearch = () => form('back-to-search', button('Back to Search', 'btn-success'));
const previous = () => form('previous', button('< Prev'));

function indexPage({ session }: PageContent): Element[] {
  const box = {
    type: 'text',
    id: 'search_input',
    name: 'search_query',
    placeholder: 'Search...',
    'aria-label': 'Search words',
    autocomplete: 'off',
    maxlength: '20000',
  };
  return [
    h('div', { id: 'logo' }, h('h2', 'WebShop')),
    heading('Instruction: ', session),
    form('search', h('input', box), button('Search', 'btn-success')),
  ];
}

function resultsPage({ session, products, imageOf }: PageContent): Element[] {
  const page = session.pageNumber ?? 1;
  return [
    heading('Instruction:', session),
    backToSearch(),
    h('h3', `Page ${page} (Total results: ${session.hits.length})`),
    h('div', { class: 'pages' }, ...(page > 1 ? [previous()] : []), form('next', button('Next >'))),
    ...products.map((product) =>
      h(
        'div',
        { class: 'list-group-item' },
        h('img', { class: 'result-img', src: imageOf(product), alt: '' }),
        h(
          'div',
          { class: 'about' },
          h(
            'h4',
            { class: 'product-asin' },
            h('a', { class: 'product-link', href: '#', 'data-asin': product.asin }, product.asin),
          ),
          h('h4', { class: 'product-title' }, product.title),
          h('h5', { class: 'product-price' }, product.price),
        ),
      ),
    ),
  ];
}

function itemPage({ session, product, showAttributes, cart, imageOf }: PageContent): Element[] {
  const { title, price, options } = product!;
  const tabs = SUB_PAGES.filter((name) => name !== 'Attributes' || showAttributes);
  return [
    heading('Instruction:', session),
    backToSearch(),
    previous(),
    productImage({ session, product, imageOf }),
    ...options.map(({ name, values }) =>
      h(
        'fieldset',
        { class: 'option-group' },
        h('h4', name),
        h('div', { class: 'radio-toolbar' }, ...values.flatMap((value, index) => radio(name, value, index, session))),
      ),
    ),
    h('h2', title),
    h('h4', `Price: ${price}`),
    h('h4', 'Rating: N.A.'),
    ...tabs.map((name) => form('sub-page', button(name))),
    form(cart ? 'cart' : 'buy', button('Buy Now', 'btn-lg purchase')),
  ];
}

function productImage({ session, product, imageOf }: Pick<PageContent, 'session' | 'product' | 'imageOf'>): Element {
  const src = imageOf(product!, session.options);
  return h('img', { id: 'product-image', class: 'item-page-img', src, alt: '' });
}

/** Shows the choice before it is bought; not in the original. */
function cartPage({ session, product, imageOf }: PageContent): Element[] {
  return [
    heading('Instruction:', session),
    backToSearch(),
    previous(),
    h('h3', 'Your cart'),
    productImage({ session, product, imageOf }),
    h('h2', product!.title),
    ...[...session.options].map(([name, value]) => h('p', { class: 'chosen-option' }, `${name}: ${value}`)),
    h('h4', `Price: ${product!.price}`),
    form('buy', button('Place Order', 'btn-lg purchase')),
  ];
}

function radio(name: string, value: string, index: number, { options }: Session): Element[] {
  const id = `radio_${name}${index}`;
  const checked: Record<string, string> = options.get(name.toLowerCase()) === value ? { checked: '' } : {};
  return [h('input', { type: 'radio', id, name, value, ...checked }), h('label', { for: id }, value)];
}

function subPage({ session, product }: PageContent): Element[] {
  const { description, bulletPoints, attributes, category, query, productCategory } = product!;
  const info = (text: string) => h('p', { class: 'product-info' }, text);
  const attribute = (text: string) => h('p', { class: 'attribute' }, text);
  const content = {
    Description: [info(description)],
    Features: [h('ul', ...bulletPoints.map((bullet) => h('li', h('p', { class: 'product-info' }, ` ${bullet}`))))],
    Reviews: [],
    Attributes: [
      ...attributes.map((text) => attribute(` ${text}`)),
      h('h5', category),
      h('h5', query),
      h('h5', productCategory),
    ],
  }[session.subPage!];
  return [heading('Instruction:', session), backToSearch(), previous(), ...content];
}

/** Statistics have the names, order, and spelling of the original. */
function donePage({ session, product }: PageContent): Element[] {
  const line = (name: string, value?: string) => [h('h5', name), ...(value === undefined ? [] : [h('pre', value)])];
  return [
    h('div', { id: 'thankyou' }, h('h1', 'Thank you for shopping with us!')),
    h(
      'div',
      { id: 'stats' },
      h('h3', 'Your code: '),
      h('pre', 'None'),
      h('p', ' (Paste it in your MTurk interface.)'),
      h(
        'div',
        { class: 'details' },
        h('h4', 'Purchased'),
        ...line('asin', product!.asin),
        ...line('options', templateJson(session.options)),
        ...line('attrs', 'None'),
        ...line('category', 'None'),
        ...line('query', 'None'),
        ...line('product category', 'None'),
        h('h4', 'Target'),
        ...[
          'asin',
          'options',
          'attrs',
          'price upper',
          'instuction text',
          'category',
          'product category',
          'query',
        ].flatMap((name) => line(name)),
        h('h4', 'Goal '),
        h('pre', 'None'),
      ),
      h(
        'h3',
        { id: 'reward' },
        'Reward',
        h('br'),
        h('span', 'Your score (min 0.0, max 1.0)'),
        h('pre', pythonFloat(session.reward ?? 0)),
      ),
      h('div', { class: 'details' }, h('h4', 'Reward Details '), h('pre', 'None')),
    ),
  ];
}
