// Does ten tasks like a user who has not read the documents: finds the controls of the page by their visible names, and
// clicks them.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./browser.mjs";

export async function newcomer(page, { folder, model, address }) {
  const { puppet } = page;
  const click = (name, role = "button") => puppet.locator(`::-p-aria([name="${name}"][role="${role}"])`).click();
  const choose = async (menu, entry) => {
    await click(menu);
    await puppet.locator(`[role=menuitem] ::-p-text(${entry})`).click();
  };
  const chooseFile = async (name, path) => {
    const [chooser] = await Promise.all([puppet.waitForFileChooser(), click(name)]);
    await chooser.accept([path]);
  };
  const type = async (field, words) => {
    await puppet.locator(`::-p-aria([name="${field}"])`).click();
    await puppet.keyboard.type(words);
  };

  const cursorIn = async (words) => {
    await puppet.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200))); // the cursor must stay there
    await page.until((part) => document.querySelector("#text").shadowRoot.querySelector(".cm-activeLine")?.textContent.includes(part), words);
  };

  // A model is opened, and a node of it found.
  await chooseFile("Open", model);
  await page.says("#name", "mlp.onnx");
  await page.says("#picture-note", "nodes");
  await type("Find a node in the picture", "relu");
  await page.says("#picture-found", "1 of 1");

  // A mistake is mended and explained.
  await choose("Examples", "A text with mistakes");
  await click("Replace 'wieghts' with 'weights'");
  await page.says("#findings-summary", /^1 error$/);
  await puppet.locator("#findings-list ::-p-text(Relu accepts)").click();
  await cursorIn("Relu");
  await puppet.locator("button ::-p-text(Explain)").click();
  await page.says("#dialog-text", "input");
  await click("Close");

  // A value gets another name.
  await choose("Examples", "Control flow");
  await click("Open it"); // the corrections are not saved
  await page.says("#findings-summary", "Nothing is wrong");
  await choose("Edit", "Rename");
  await page.says("#status", "Put the cursor on a name");
  await page.clickWord("is_negative");
  await choose("Edit", "Rename");
  await page.says("#rename-old", "is_negative");
  await puppet.keyboard.type("below_zero");
  await click("Rename");
  await page.hasText("If (below_zero)");

  // The types and shapes of all values.
  await click("Types and shapes", "tab");
  await page.says("#types-list", "below_zero");
  await puppet.locator("#types-list ::-p-text(below_zero)").click();
  await cursorIn("Less");

  // The changed model, compared with the one before, shared, saved, and converted.
  const before = join(folder, "before.onnxtxt");
  await writeFile(before, (await readFile(`${ROOT}testdata/examples/branch.onnxtxt`, "utf8")).replace("Neg", "Abs"));
  await chooseFile("Compare", before);
  await page.says("#differences-summary", "differences from before.onnxtxt");
  await page.says("#differences-list", "Abs → Neg");
  await page.context.overridePermissions(new URL(address).origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
  await click("Copy link");
  await page.says("#status", "The link is copied");
  assert.match(await puppet.evaluate(() => navigator.clipboard.readText()), /#name=branch.onnxtxt&text=/);
  for (const [entry, name] of [["Save", "branch.onnxtxt"], ["As ONNX", "branch.onnx"]]) {
    await choose("Save", entry);
    assert.ok((await page.saved(name)).length > 100, name);
  }
}
