import { writeFileSync } from "node:fs";

/** A vitest reporter that keeps the running test files' names in the file `RUNNING_TEST_FILES`, one per line. */
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
