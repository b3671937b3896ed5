#!/usr/bin/env node
// The command as npm links it: in a clone it must be there before `dist` is built.
import '../dist/cli.js';
