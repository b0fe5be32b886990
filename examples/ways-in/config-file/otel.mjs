import { startNodeSDK } from "@opentelemetry/sdk-node";

startNodeSDK();
