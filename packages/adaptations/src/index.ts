// What a program uses: its adaptations, as parts of prompts and as tools
export {
  type Adaptation,
  type AdaptationEdit,
  type AdaptationScope,
  catalogueFrom,
  type IncludedAdaptations,
  includedIn,
  isFor,
  LIMITS,
  problemOfEdit,
  withEdits,
} from "./adaptation.ts";
// What a person uses: the log, signed
export { type AdaptationFiles, adaptationFiles, textOfFile } from "./adaptation-files.ts";
export {
  type Approval,
  approve,
  approveCatalogue,
  editBefore,
  editDirectly,
  openProposal,
  propose,
  readState,
  reject,
  rollBack,
  setPolicy,
} from "./adaptation-log.ts";
export type { AdaptationState, LogProblem, Proposal } from "./adaptation-state.ts";
export {
  adaptationChatTools,
  adaptationResponsesTools,
  type ChatTool,
  type ResponsesTool,
  runAdaptationTool,
  type ToolSchema,
} from "./adaptation-tools.ts";
export {
  type AdaptationPreview,
  type AdaptationRefusal,
  type AdaptationSummary,
  type Adaptations,
  type AdaptationsOptions,
  openAdaptations,
} from "./adaptations.ts";
export { type ApproverKey, createApproverKey, unlockApproverKey } from "./approver-key.ts";
export { type AuditEntry, type AuditKind, approverFrom, isSigned } from "./audit-entry.ts";
