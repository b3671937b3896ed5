/**
 * The shop for people on the play page, on top of the theme `market`: dark where the system is dark, in the width of a phone,
 * and an end of its own. Agents never see it.
 */
export const PEOPLE_STYLE = `
#instruction-text, .group-task { display: none; }
.theme { min-height: 0; }
.btn, .purchase, input[type=text], .radio-toolbar label { min-height: 42px; }
.product-link { display: inline-block; min-height: 24px; line-height: 24px; }
#end { max-width: 720px; margin: 0 auto; padding: 8px 0 20px; }
#end h2 { font-size: 21px; margin: 18px 0 4px; overflow-wrap: anywhere; }
#end .bought { display: flex; gap: 18px; align-items: center; }
#end .bought img { width: 132px; height: 132px; flex: none; object-fit: contain; border: 1px solid var(--line, #ddd); border-radius: 8px; }
#end table { width: 100%; margin: 16px 0 0; border-collapse: collapse; background: var(--card, #fff); }
#end th, #end td { padding: 8px 12px; border: 1px solid var(--line, #ddd); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
#end th[scope=row] { font-weight: 600; }
@media (max-width: 700px) {
  .site-header { gap: 12px; } .group-search form { flex-direction: column; gap: 8px; width: 100%; }
  .group-search input[type=text], .group-search .btn { border-radius: var(--round, 8px); border: 2px solid var(--accent, #888); width: 100%; }
  .group-back, .group-tabs { flex-wrap: wrap; } #end .bought { align-items: flex-start; } #end .bought img { width: 88px; height: 88px; }
  #end th, #end td { padding: 7px 8px; font-size: 14px; }
}
@media (prefers-color-scheme: dark) {
  :root { color-scheme: dark; }
  body { background: #14171b; color: #e8ebef; }
  .theme-market { --page: #14171b; --ink: #e8ebef; --soft: #a5afbb; --card: #1e2329; --line: #353c45; --head: #0d1a2b; --foot: #0d1a2b; --note: #2f2a1c; --link: #8ab8ff; --price: #e8ebef; --focus: #8ab8ff; }
  .theme-market #shop.page-item { background: #191d22; }
  input[type=text] { background: #1e2329; color: inherit; }
  .result-img, .item-page-img, .site-shelf img, #end .bought img { background: #f4f4f2; }
  #instruction-text, .list-group-item, .product-info, .attribute { background: #1e2329; border-color: #353c45; }
}
`;
