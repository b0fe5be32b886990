import { endWithAnswer } from "../call-end.ts";
import { startCall } from "../call-start.ts";
import type { Observer } from "../observer.ts";
import { HEARD_SPEECH } from "./socket-endpoint.ts";

/** What a realtime session says about writing down what it hears. */
export interface SpeechEvent {
  readonly type?: unknown;
  readonly session?: unknown;
  readonly item_id?: unknown;
  readonly transcript?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

type Properties = Readonly<Record<string, unknown>>;

const EVENT = "conversation.item.input_audio_transcription.";

/**
 * Observes the model that writes down what a realtime session hears: a call of its own for each piece of speech, because it
 * has a price of its own.
 *
 * @returns Takes every event of the session, inside the context of its span.
 */
export function observeHeardSpeech(
  observer: Observer,
  url: string | undefined,
): (event: SpeechEvent) => void {
  let settings: Properties | undefined;
  /** When each piece that is not written down yet was heard, milliseconds since the epoch. */
  const heard = new Map<unknown, number>();

  function end({ item_id: item, transcript, usage, error }: SpeechEvent): void {
    const { language, model, prompt } = settings ?? {};
    const request = {
      ...(model !== undefined && { model }),
      ...(language !== undefined && { language }),
      ...(prompt !== undefined && { prompt }),
    };
    const call = startCall(observer, HEARD_SPEECH, url, request, heard.get(item));
    heard.delete(item);
    if ("content" in call) endWithAnswer(call, { text: transcript, usage, error });
  }

  return (event) => {
    const { type, session, item_id: item } = event;
    if (session !== undefined) settings = transcriptionOf(session) ?? settings;
    if (type === "input_audio_buffer.committed" && settings !== undefined) {
      heard.set(item, Date.now());
    }
    if (type === `${EVENT}completed` || type === `${EVENT}failed`) end(event);
  };
}

/** Which model listens, where today's sessions say it and where those before said it. */
function transcriptionOf(session: unknown): Properties | undefined {
  const { audio, input_audio_transcription: older } = session as {
    readonly audio?: { readonly input?: { readonly transcription?: Properties | null } };
    readonly input_audio_transcription?: Properties | null;
  };
  return audio?.input?.transcription ?? older ?? undefined;
}
