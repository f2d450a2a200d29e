import { writeFileSync } from "node:fs";

/** A reporter of vitest that keeps the names of the test files under way in the file `RUNNING_TEST_FILES`, a line each. */
export default class NoteRunningFiles {
  #running = new Set();

  onTestModuleQueued({ project, relativeModuleId }) {
    this.#running.add(`${project.name} ${relativeModuleId}`);
    this.#write();
  }

  onTestModuleEnd({ project, relativeModuleId }) {
    this.#running.delete(`${project.name} ${relativeModuleId}`);
    this.#write();
  }

  #write() {
    writeFileSync(process.env.RUNNING_TEST_FILES, [...this.#running].join("\n"));
  }
}
