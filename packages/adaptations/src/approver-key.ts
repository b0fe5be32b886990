import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

/** An approver's key as two PEM texts. */
export interface ApproverKey {
  /** PKCS#8, encrypted with the passphrase: AES-256, a key derived by PBKDF2. */
  readonly privateKey: string;
  /** What programs check approvals by. */
  readonly publicKey: string;
}

/** A new Ed25519 key. A passphrase of at least 8 characters must be given. */
export function createApproverKey(passphrase: string): ApproverKey {
  if (passphrase.length < 8) throw new Error("a passphrase has at least 8 characters");
  return generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase },
  });
}

/** Both halves of an encrypted key. Throws when the passphrase is wrong, or the key was never encrypted. */
export function unlockApproverKey(
  pem: string,
  passphrase: string,
): { readonly key: KeyObject; readonly approver: KeyObject } {
  if (!pem.includes("ENCRYPTED"))
    throw new Error("the key is not encrypted: whoever reads it could approve");
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: pem, passphrase });
  } catch {
    throw new Error("that is not the passphrase of the key");
  }
  return { key, approver: createPublicKey(key) };
}
