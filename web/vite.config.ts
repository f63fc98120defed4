import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/**
 * Redoc loads its vendor's logo from the vendor's server, which the content security policy forbids. An empty image
 * replaces it, which Redoc leaves out; the vendor's name and link stay.
 */
function noRemoteLogo(): Plugin {
  const logo = /https:\/\/cdn\.redoc\.ly\/[\w./-]+/g;
  return {
    name: "no-remote-logo",
    transform(code, id) {
      if (!/redoc\/bundles\/.*\.js/.test(id)) return null;
      if (code.search(logo) < 0) throw new Error("Redoc's logo has moved: find what it loads from other servers");
      return { code: code.replace(logo, "data:,"), map: null };
    },
  };
}

/** Removes GraphiQL's fonts: system fonts replace them and save a third of a megabyte. */
function noFonts(): Plugin {
  return {
    name: "no-fonts",
    enforce: "pre",
    transform(code, id) {
      if (!/graphiql\/.*\.css/.test(id)) return null;
      return { code: code.replace(/@font-face\s*\{[^}]*\}/g, ""), map: null };
    },
  };
}

/** Writes the licences of all packages in the bundle to licences.txt, as the licences require. */
function licences(): Plugin {
  const INSIDE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//;
  const licence = ([name, folder]: [string, string]): string => {
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
    return `${name} ${version} (${license ?? "see below"})\n\n${text}\n`;
  };
  return {
    name: "licences",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
      const rendered = modules.filter(([, { renderedLength }]) => renderedLength > 0);
      const folders = rendered.flatMap(([id]) => {
        const [, folder, name] = INSIDE.exec(id) ?? [];
        return folder && name ? [[name, folder] as [string, string]] : [];
      });
      const packages = [...new Map(folders.sort()).entries()];
      const source = packages.map(licence).join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

/** Writes a gzip copy of each file, with the highest compression, which the server sends as it is. */
function compressed(): Plugin {
  let folder = "";
  const compress = (path: string): void => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path)) compress(join(path, name));
    } else {
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    }
  };
  return {
    name: "compressed",
    apply: "build",
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    closeBundle: () => compress(folder),
  };
}

const SERVER = "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [noRemoteLogo(), noFonts(), licences(), compressed()],
  resolve: {
    alias: [{ find: /^(yaml|@redocly\/openapi-core\/.*)$/, replacement: resolve(import.meta.dirname, "src/docs/absent.ts") }],
  },
  build: {
    target: "es2022",
    // The content security policy forbids inline scripts, and data URLs except for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: ["playground.html", "docs.html", "kinds.html"] },
  },
  // For `npm run dev`, beside a running server.
  server: {
    proxy: {
      "/graphql": { target: SERVER, ws: true },
      "/openapi.json": SERVER,
      "/v1": SERVER,
    },
  },
});
