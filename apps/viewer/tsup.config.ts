import { defineConfig } from 'tsup';
import { base } from '../../tsup.base.js';
import { buildPage } from './build-page.js';

export default defineConfig(base(import.meta.url, {}, { onSuccess: () => buildPage() }));
