// Tests the accessibility of the page with axe: in each of its tabs, with an open menu, and with a dialog.
import assert from "node:assert/strict";
import axe from "axe-core";

async function check(page, state) {
  const violations = await page.puppet.evaluate(async () => {
    const { violations } = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ target }) => target.join(" ")).join("; ")}`);
  });
  assert.deepEqual(violations, [], state);
}

export async function accessible(page) {
  await page.puppet.evaluate(axe.source); // not by a script element, which the page's policy forbids
  const visible = await page.puppet.$$eval("#tabs [role=tab]", (tabs) => tabs.filter((tab) => tab.offsetParent !== null).map(({ id }) => id));
  for (const tab of visible) {
    await page.click(`#${tab}`);
    if (tab === "tab-sizes") await page.says("#sizes-content", "By part");
    if (tab === "tab-types") await page.says("#types-summary", "value");
    await check(page, tab);
  }
  await page.pick("menu-examples", "A text with mistakes");
  await page.click("#tab-findings");
  await page.says("#findings-list", "Replace");
  await check(page, "findings with corrections");
  await page.click("#findings-list .quiet");
  await page.until(() => document.querySelector("dialog").open);
  await check(page, "an explanation");
  await page.press("Escape");
  await page.click('[popovertarget="menu-save"]');
  await page.until(() => document.querySelector("#menu-save").matches(":popover-open"));
  await check(page, "a menu");
  await page.press("Escape");
  await page.pick("menu-examples", "Control flow with two branches");
  await page.says("#findings-summary", "Nothing is wrong");
  if (visible.includes("tab-text")) await page.click("#tab-text");
}
