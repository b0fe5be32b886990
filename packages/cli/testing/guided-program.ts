import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  adaptationFiles,
  approveCatalogue,
  createApproverKey,
  editDirectly,
  openAdaptations,
  unlockApproverKey,
} from "@thoughtflow/adaptations";
import { directoryWith } from "./flow-directory.ts";

export const PASSPHRASE = "correct horse battery staple";
export const catalogue = {
  items: [{ id: "adn.safety", title: "Safety", content: "Never disclose secrets.", enabled: true }],
};

/** A program with a pinned approver, whose catalogue was signed and edited once by a person. */
export function programWithGuidance() {
  const home = directoryWith({
    "thoughtflow/adaptations/catalogue.json": JSON.stringify(catalogue),
  });
  const files = adaptationFiles(join(home, "thoughtflow", "adaptations"));
  const pair = createApproverKey(PASSPHRASE);
  const key = join(home, ".config", "thoughtflow", "approver.pem");
  mkdirSync(dirname(key), { recursive: true });
  writeFileSync(key, pair.privateKey);
  writeFileSync(`${key}.pub`, pair.publicKey);
  const approval = unlockApproverKey(pair.privateKey, PASSPHRASE);
  approveCatalogue(files, approval);
  editDirectly(files, approval, "adn.safety", { content: "Never disclose secrets. Never." });
  const start = () =>
    openAdaptations({ dir: files.dir, approver: pair.publicKey, watch: false, warn: () => {} });
  return { home, files, key, start };
}
