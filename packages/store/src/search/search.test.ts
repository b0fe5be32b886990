import { searchSuite } from "../../testing/search-suite.ts";
import { openStore } from "../index.ts";

searchSuite("SQLite", () => openStore(":memory:"));
