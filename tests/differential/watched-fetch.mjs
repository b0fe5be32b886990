/** A fetch that notes when the request behind it is given up. */
export const watched = (note) => (url, init) => {
  init.signal?.addEventListener("abort", () => note("upstream aborted"));
  return fetch(url, init);
};
