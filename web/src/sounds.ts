// Short sounds for moves, captures and the end of a game; off by default.

import { preferences } from "./preferences";

export type Sound = "move" | "capture" | "end";

// Frequencies in hertz, one after another.
const TONES: Record<Sound, number[]> = { move: [440], capture: [330, 220], end: [392, 494, 587] };
const TONE_LENGTH = 0.09; // seconds of a tone
const VOLUME = 0.12;

let context: AudioContext | null = null;

export function playSound(kind: Sound): void {
  if (!preferences().sounds) return;
  context ??= new AudioContext();
  const { destination, currentTime } = context;
  TONES[kind].forEach((frequency, at) => {
    const [begin, end] = [currentTime + at * TONE_LENGTH, currentTime + (at + 1) * TONE_LENGTH];
    const tone = new OscillatorNode(context!, { type: "triangle", frequency });
    const volume = new GainNode(context!, { gain: VOLUME });
    volume.gain.setValueAtTime(VOLUME, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    tone.connect(volume).connect(destination);
    tone.start(begin);
    tone.stop(end);
  });
}
