/**
 * @vlgym/webshop: a shop of up to 1.2 million products for language agents. Importing it registers the environments.
 *
 * Nothing here needs a browser: that is `@vlgym/webshop/browser`.
 */
import './register.js';

export type { ActionTool, DialogueStyle } from '@vlgym/site/text';
export { nextAction, type Plan, planOf } from './agents/plan.js';
export { ruleAction } from './agents/rule.js';
export type { AttributeRecord, HumanRecord } from './catalog/clean-product.js';
export { DiskStore, type OpenCatalog, openCatalog } from './catalog/disk-catalog.js';
export { CatalogFormatError } from './catalog/disk-layout.js';
export {
  type ImportOptions,
  type ImportSources,
  importCatalog,
  NoProductsError,
} from './catalog/import-catalog.js';
export { JsonFormatError } from './catalog/json-stream.js';
export type { LoadReport, SkippedRow } from './catalog/load-report.js';
export { MemoryStore } from './catalog/memory-store.js';
export type { HumanInstruction, OptionGroup, Product, ProductStore } from './catalog/product.js';
export type { Progress } from './catalog/progress.js';
export { type CatalogOptions, type LoadedCatalog, loadCatalog, type RawCatalog } from './catalog/read-raw.js';
export { FolderTakenError } from './catalog/target-folder.js';
export { webShopDialogue } from './dialogue/dialogue.js';
export { SHOP_TOOLS } from './dialogue/tools.js';
export type { WebShopInfo } from './env/info.js';
export type { WebShopOptions } from './env/options.js';
export { type SavedSession, SnapshotStateError, sessionFrom } from './env/saved-session.js';
export { WebShopEnv } from './env/text-env.js';
export { generateCatalog } from './generator/generate-catalog.js';
export { type GeneratorOptions, ProductGenerator } from './generator/generate-product.js';
export { generateProducts } from './generator/generated-store.js';
export type { GoalKind } from './goals/build-goals.js';
export { type GoalDraw, GoalDrawer } from './goals/draw-goal.js';
export type { Goal } from './goals/goal.js';
export { goalKey } from './goals/goal-key.js';
export { SPLITS, type SplitPart, type SplitScheme, splitRange } from './goals/splits.js';
export { COLORS, normalizeColor } from './reward/colors.js';
export { cachedNouns, type NounTagger, winkNouns } from './reward/nouns.js';
export { type Purchase, type Reward, type RewardParts, rewardOf } from './reward/reward.js';
export { type FuzzyBackend, tokenSetRatio } from './reward/token-set-ratio.js';
export { analyze } from './search/analyze.js';
export { indexProducts, indexTexts } from './search/build-index.js';
export { IndexFormatError } from './search/index-layout.js';
export { type Hit, SearchIndex } from './search/search-index.js';
export { ShopServer, type ShopServerOptions } from './server/shop-server.js';
export { parseAction, type ShopAction } from './shop/action.js';
export type { AvailableActions } from './shop/observe.js';
export type { Session } from './shop/session.js';
export { NoGoalsError, Shop, type ShopOptions } from './shop/shop.js';
export { type Outcome, Visitor, type VisitorOptions } from './shop/visitor.js';
