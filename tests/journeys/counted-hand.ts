import type { Locator, Page } from "playwright-core";

/**
 * The keystroke-level model (Card, Moran and Newell 1980), in seconds: a keystroke of an average typist, pointing at a
 * target, pressing it, moving the hand between mouse and keyboard, and mental preparation before each step.
 */
const SECONDS = { key: 0.28, point: 1.1, press: 0.2, hand: 0.4, thought: 1.35 };

/** Performs real actions on a page and counts clicks (or taps), keys and the model's seconds. */
export class CountedHand {
  clicks = 0;
  keys = 0;
  seconds = 0;
  #page: Page;
  #hand: "mouse" | "keys" = "keys";
  #isPhone: boolean;

  /** A phone has no mouse, so no time is spent moving between mouse and keyboard. */
  constructor(page: Page, { isPhone = false } = {}) {
    this.#page = page;
    this.#isPhone = isPhone;
  }
  #use(hand: "mouse" | "keys") {
    if (this.#hand !== hand && !this.#isPhone) this.seconds += SECONDS.hand;
    this.#hand = hand;
  }
  think() {
    this.seconds += SECONDS.thought;
  }
  async click(target: Locator) {
    this.#use("mouse");
    this.clicks += 1;
    this.seconds += SECONDS.point + SECONDS.press;
    await (this.#isPhone ? target.tap() : target.click());
  }
  /** Chooses from a list: one click to open it and one for the option. */
  async choose(list: Locator, option: string) {
    this.#use("mouse");
    this.clicks += 2;
    this.seconds += 2 * (SECONDS.point + SECONDS.press);
    await list.selectOption(option);
  }
  async type(text: string) {
    this.#use("keys");
    this.keys += text.length;
    this.seconds += text.length * SECONDS.key;
    await this.#page.keyboard.type(text);
  }
  async press(key: string) {
    this.#use("keys");
    this.keys += 1;
    this.seconds += SECONDS.key;
    await this.#page.keyboard.press(key);
  }
  told() {
    return `${this.clicks} clicks, ${this.keys} keys, ${this.seconds.toFixed(0)} s`;
  }
}
