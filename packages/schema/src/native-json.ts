/** As they were when this was loaded: an app may put others in their place. */
export const { parse, stringify } = JSON;
