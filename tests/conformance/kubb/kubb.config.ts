// A type per component, and a function per operation.

import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: '.',
  input: { path: `${process.env.LUDOTHEQUE_URL}/openapi.json` },
  output: { path: './generated', clean: true, format: false },
  plugins: [
    pluginOas({ validate: true, generators: [] }),
    pluginTs({ output: { path: 'models' } }),
    pluginClient({ output: { path: 'clients' }, client: 'fetch' }),
  ],
});
