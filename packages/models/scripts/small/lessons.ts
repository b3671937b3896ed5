/** The lessons by name. */
import '@vlgym/alfworld';
import '@vlgym/points24';
import '@vlgym/webshop';
import { alfworld } from './households.js';
import type { WarmStartPlan } from './lesson.js';
import { points24 } from './points24.js';
import { webshop } from './shop.js';

export const lessons: Readonly<Record<string, WarmStartPlan>> = { points24, alfworld, webshop };
