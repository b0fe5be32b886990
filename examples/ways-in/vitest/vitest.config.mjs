import { defineConfig } from "vitest/config";

export default defineConfig({ test: { reporters: "tap", setupFiles: ["./observe.mjs"] } });
