/** Pixels, to a tenth. */
export function n(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}
