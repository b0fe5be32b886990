/** Bytes that a UTF-16 code unit takes at most in UTF-8. */
export const MOST_BYTES_A_CHARACTER = 3;
