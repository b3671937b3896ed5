/** The three looks: colors, and how results are laid out. */

/** A general store: dark head, one product per row. */
const MARKET = `
.theme-market { --page: #eef0f3; --ink: #1b2430; --soft: #5c6775; --card: #fff; --line: #d5dae1; --head: #14273f; --head-ink: #fff; --foot: #14273f; --foot-ink: #cfd8e4; --accent: #ffb020; --accent-ink: #1b2430; --buy: #ff8a1f; --buy-ink: #1b1200; --note: #fff6e2; --link: #1259b8; --price: #1b2430; --focus: #1259b8; --round: 8px; --chip: 8px; --width: 1180px; --spacing: -.01em; }
.theme-market .list-group-item { display: flex; gap: 20px; padding: 14px 18px; margin-bottom: 10px; }
.theme-market .result-img { width: 148px; height: 148px; flex: none; border-radius: 6px; }
.theme-market .about { display: flex; flex-direction: column; gap: 4px; } .theme-market .product-title { font-size: 17px; }
.theme-market #shop.page-item { background: #fff; border: solid var(--line); border-width: 0 1px; }
@media (max-width: 700px) { .theme-market .result-img { width: 96px; height: 96px; } .theme-market .list-group-item { gap: 12px; padding: 10px; } .theme-market .product-title { font-size: 15px; } }
`;

/** A quiet store with much white and a grid of large pictures. */
const GALLERY = `
.theme-gallery { --page: #fbfaf7; --ink: #26231f; --soft: #7b746b; --card: #fff; --line: #e5e0d8; --head: #fbfaf7; --head-ink: #26231f; --foot: #f1ede6; --foot-ink: #5c554c; --accent: #2f5d50; --accent-ink: #fff; --buy: #2f5d50; --buy-ink: #fff; --note: #f0f3ee; --link: #2f5d50; --price: #2f5d50; --focus: #b8743a; --round: 14px; --chip: 20px; --width: 1120px; --spacing: .06em; }
.theme-gallery .site-header { border-bottom: 1px solid var(--line); padding-top: 20px; padding-bottom: 20px; } .theme-gallery .site-name b { font-weight: 500; font-size: 25px; }
.theme-gallery .group-hits { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 20px; }
.theme-gallery .list-group-item { display: flex; flex-direction: column; border: 0; background: none; border-radius: 0; }
.theme-gallery .result-img { width: 100%; aspect-ratio: 1; border-radius: 14px; border: 1px solid var(--line); }
.theme-gallery .about { padding: 10px 2px; display: flex; flex-direction: column; gap: 3px; } .theme-gallery .product-title { font-size: 15px; } .theme-gallery .product-price { font-size: 17px; font-weight: 500; }
.theme-gallery .group-about h2 { font-weight: 500; font-size: 27px; } .theme-gallery .purchase { border-radius: 28px; }
@media (max-width: 700px) { .theme-gallery .group-hits { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; } .theme-gallery .stars::before { width: 90px; display: block; } }
`;

/** A loud discounter: dense, two columns, prices first. */
const OUTLET = `
.theme-outlet { --page: #fff8ef; --ink: #221a33; --soft: #6a5f7d; --card: #fff; --line: #e6d9ef; --head: #5b21b6; --head-ink: #fff; --foot: #2e1065; --foot-ink: #ddd0f5; --accent: #ffd60a; --accent-ink: #221a33; --buy: #d6006c; --buy-ink: #fff; --note: #fffbe0; --link: #5b21b6; --price: #d6006c; --focus: #0a84ff; --round: 4px; --chip: 4px; --width: 1240px; --spacing: -.03em; }
.theme-outlet .site-header { border-bottom: 6px solid var(--accent); } .theme-outlet .site-name b { font-weight: 800; font-size: 26px; font-style: normal; }
.theme-outlet .group-hits { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
.theme-outlet .list-group-item { display: flex; flex-direction: row-reverse; justify-content: space-between; gap: 10px; padding: 12px; border-width: 2px; }
.theme-outlet .result-img { width: 130px; height: 130px; flex: none; }
.theme-outlet .about { display: flex; flex-direction: column; gap: 3px; } .theme-outlet .product-price { order: -1; font-size: 24px; font-weight: 800; color: var(--price); } .theme-outlet .product-title { font-size: 14px; } .theme-outlet .product-asin { order: 5; }
.theme-outlet .price { font-size: 34px; font-weight: 800; } .theme-outlet .page-item .group-buy { margin-bottom: 16px; } .theme-outlet .group-about h2 { font-size: 21px; }
.theme-outlet .purchase { text-transform: uppercase; letter-spacing: .04em; } .theme-outlet .page-item { grid-template-columns: minmax(0, 6fr) minmax(0, 5fr); grid-template-areas: 'back back' 'task task' 'about picture' 'buy picture' 'options picture' 'tabs picture'; }
@media (max-width: 700px) { .theme-outlet .group-hits { grid-template-columns: minmax(0, 1fr); } .theme-outlet .result-img { width: 100px; height: 100px; } .theme-outlet .price { font-size: 26px; } }
`;

export const LOOK_STYLES = MARKET + GALLERY + OUTLET;
