/*
 * Workers as Cloudflare's create command makes them, by the documented shape of its templates: the files that
 * `helve add` reads and changes.
 */

const helloTsconfig = `{
	"compilerOptions": {
		/* Visit https://aka.ms/tsconfig.json to read more about this file */
		"target": "es2024",
		"lib": ["es2024"],
		"jsx": "react-jsx",
		"module": "es2022",
		"moduleResolution": "Bundler",
		/* Enable importing .json files */
		"resolveJsonModule": true,
		"allowJs": true,
		"checkJs": false,
		/* Disable emitting files from a compilation. */
		"noEmit": true,
		"isolatedModules": true,
		"allowSyntheticDefaultImports": true,
		"forceConsistentCasingInFileNames": true,
		"strict": true,
		"skipLibCheck": true,
		"types": [
			"./worker-configuration.d.ts"
		]
	},
	"exclude": ["test"],
	"include": ["worker-configuration.d.ts", "src/**/*.ts"]
}
`

export const helloWorld: Readonly<Record<string, string>> = {
  'wrangler.jsonc': `/**
 * For more details on how to configure Wrangler, refer to:
 * https://developers.cloudflare.com/workers/wrangler/configuration/
 */
{
	"$schema": "node_modules/wrangler/config-schema.json",
	"name": "hello",
	"main": "src/index.ts",
	"compatibility_date": "2026-11-02",
	"observability": {
		"enabled": true
	}
	/**
	 * Smart Placement
	 * https://developers.cloudflare.com/workers/configuration/smart-placement/#smart-placement
	 */
	// "placement": { "mode": "smart" }
}
`,
  'tsconfig.json': helloTsconfig,
  'src/index.ts': `/**
 * Welcome to Cloudflare Workers! This is your first worker.
 *
 * Learn more at https://developers.cloudflare.com/workers/
 */

export default {
	async fetch(request, env, ctx): Promise<Response> {
		return new Response('Hello World!');
	},
} satisfies ExportedHandler<Env>;
`,
}

export const hono: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "hello-hono",
  "type": "module",
  "scripts": {
    "dev": "wrangler dev",
    "deploy": "wrangler deploy --minify",
    "cf-typegen": "wrangler types --env-interface CloudflareBindings"
  }
}
`,
  'wrangler.jsonc': `{
  "$schema": "node_modules/wrangler/config-schema.json",
  "name": "hello-hono",
  "main": "src/index.ts",
  "compatibility_date": "2026-11-02",
  "compatibility_flags": ["nodejs_compat"],
  // "vars": {
  //   "MY_VAR": "my-variable"
  // },
  "assets": {
    "binding": "ASSETS",
    "directory": "./public",
  },
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "ESNext",
    "module": "ESNext",
    "moduleResolution": "Bundler",
    "strict": true,
    "skipLibCheck": true,
    "lib": [
      "ESNext"
    ],
    "jsx": "react-jsx",
    "jsxImportSource": "hono/jsx"
  },
}
`,
  'public/index.html': '<!doctype html>\n<title>Hello</title>\n',
  'src/index.ts': `import { Hono } from "hono";

const app = new Hono<{ Bindings: CloudflareBindings }>();

app.get("/message", (c) => {
  return c.text("Hello Hono!");
});

export default app;
`,
}
