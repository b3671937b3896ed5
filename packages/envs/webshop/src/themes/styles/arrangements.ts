/** Moved buttons: three more arrangements of the same elements, in the same order of the document. */
export const ARRANGED = `
.theme.arranged-1 .page-item { grid-template-areas: 'task task' 'buy buy' 'about picture' 'options picture' 'tabs picture' 'back back'; grid-template-rows: auto auto auto auto 1fr auto; }
.theme.arranged-1 .page-results { grid-template-areas: 'task task' 'count count' 'hits hits' 'pages back'; } .theme.arranged-1 .page-results .group-pages, .theme.arranged-1 .page-results .group-back { margin-top: 14px; }
.theme.arranged-2 .page-item { grid-template-areas: 'task task' 'tabs back' 'picture about' 'picture options' 'picture options' 'buy buy'; } .theme.arranged-2 .group-buy { justify-self: end; width: 340px; max-width: 100%; }
.theme.arranged-2 .page-results { grid-template-columns: auto minmax(0, 1fr); grid-template-areas: 'task task' 'pages count' 'hits hits' 'back back'; } .theme.arranged-2 .page-results .group-back { justify-content: end; margin-top: 14px; } .theme.arranged-2 .page-results .group-pages { margin-right: 16px; }
.theme.arranged-3 .page-item { grid-template-areas: 'back tabs' 'task task' 'options picture' 'about picture' 'buy picture' '. picture'; } .theme.arranged-3 .page-item .group-tabs { margin: 0 0 14px; justify-content: end; }
.theme.arranged-3 .page-results { grid-template-areas: 'back pages' 'task task' 'hits hits' 'count count'; } .theme.arranged-3 .page-results .group-pages { margin-left: 16px; }
.theme.arranged-1 .page-index .group-search, .theme.arranged-3 .page-index .group-search { order: -1; margin-top: 30px; } .theme.arranged-2 .group-search form { flex-direction: row-reverse; }
.theme.arranged-2 .group-search .btn { border-radius: var(--round) 0 0 var(--round); } .theme.arranged-2 input[type=text] { border: 2px solid var(--accent); border-left: 0; border-radius: 0 var(--round) var(--round) 0; }
.theme.arranged-1 .page-sub-page, .theme.arranged-2 .page-sub-page, .theme.arranged-1 .page-cart, .theme.arranged-2 .page-cart { display: flex; flex-direction: column; } .theme.arranged-1 .page-sub-page .group-back, .theme.arranged-2 .page-sub-page .group-back, .theme.arranged-1 .page-cart .group-back, .theme.arranged-2 .page-cart .group-back { order: 9; margin-top: 14px; } .theme.arranged-2 .group-back { justify-content: end; }
@media (max-width: 700px) {
  .theme.arranged-1 .page-item .group-buy { order: -1; margin-bottom: 12px; }
  .theme.arranged-1 .page-item .group-back, .theme.arranged-2 .page-item .group-back { order: 9; margin-top: 14px; }
  .theme.arranged-3 .page-item .group-picture { order: 9; margin-top: 12px; }
  .theme.arranged-3 .page-item .group-tabs { order: -1; justify-content: start; margin-bottom: 10px; }
  .theme.arranged-1 .page-results .group-pages, .theme.arranged-2 .page-results .group-back, .theme.arranged-1 .page-results .group-back { order: 9; }
}
`;
