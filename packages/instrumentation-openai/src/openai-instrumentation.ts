import type { MeterProvider, TracerProvider } from "@opentelemetry/api";
import { createNoopMeter } from "@opentelemetry/api";
import { installModuleHooks } from "./module-hooks.ts";
import type { Observer } from "./observer.ts";
import { createObserver } from "./observer.ts";
import type { OpenAIInstrumentationOptions } from "./options.ts";
import { patch } from "./patch.ts";
import type { Unpatch } from "./replace-method.ts";
import { INSTRUMENTATION_NAME, INSTRUMENTATION_VERSION } from "./version.ts";

/**
 * The instrumentation as `registerInstrumentations` of `@opentelemetry/instrumentation` takes it; it has the
 * shape of that package's `Instrumentation` and does not load it. Observes every openai that is loaded from
 * `enable()` on, and those given to `instrument`. Nothing happens before `enable()`.
 */
export class OpenAIInstrumentation {
  readonly instrumentationName: string = INSTRUMENTATION_NAME;
  readonly instrumentationVersion: string = INSTRUMENTATION_VERSION;
  #options: OpenAIInstrumentationOptions;
  #observer: Observer | undefined;
  #enabled = false;
  readonly #patched = new Map<unknown, Unpatch | undefined>();

  constructor(options: OpenAIInstrumentationOptions = {}) {
    this.#options = options;
  }

  /** Installs the module hooks, and observes again what `disable()` let go of. */
  enable(): void {
    if (this.#enabled) return;
    this.#enabled = true;
    installModuleHooks((openai) => this.instrument(openai), this);
    for (const openai of this.#patched.keys()) this.#patch(openai);
  }

  /** Puts the SDK's own methods back, and ends the runs that wait for tool results. */
  disable(): void {
    this.#enabled = false;
    this.#observer?.runs?.endWaiting();
    for (const [openai, unpatch] of this.#patched) {
      unpatch?.();
      this.#patched.set(openai, undefined);
    }
  }

  /** Observes an openai module, its class or a client by hand; see `instrumentOpenAI`. */
  instrument(openai: unknown): void {
    if (this.#patched.get(openai) !== undefined) return;
    this.#patched.set(openai, undefined);
    if (this.#enabled) this.#patch(openai);
  }

  getConfig(): OpenAIInstrumentationOptions {
    return this.#options;
  }

  /** Replaces the options for the calls from now on. */
  setConfig(options: OpenAIInstrumentationOptions): void {
    this.#options = options;
    this.#observer = undefined;
    this.#patchAgain();
  }

  setTracerProvider(tracerProvider: TracerProvider): void {
    this.setConfig({ ...this.#options, tracerProvider });
  }

  /** A provider that does nothing, as `registerInstrumentations` passes where there is none, doesn't stand before a later one. */
  setMeterProvider(meterProvider: MeterProvider): void {
    if (meterProvider.getMeter(INSTRUMENTATION_NAME) === createNoopMeter()) return;
    this.setConfig({ ...this.#options, meterProvider });
  }

  #patch(openai: unknown): void {
    this.#observer ??= createObserver(this.#options);
    this.#patched.set(openai, patch(this.#observer, openai));
  }

  #patchAgain(): void {
    if (!this.#enabled) return;
    for (const [openai, unpatch] of this.#patched) {
      unpatch?.();
      this.#patch(openai);
    }
  }
}
