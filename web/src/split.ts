// The borders between text, picture and tabs. Users move the borders with the pointer or the arrow keys.
import { element } from "./dom";

interface Split {
  id: string;
  property: string;
  isUpright: boolean;
  least: number;
  most: number;
}

const SPLITS: Split[] = [
  { id: "split-columns", property: "--left", isUpright: true, least: 20, most: 80 },
  { id: "split-rows", property: "--upper", isUpright: false, least: 15, most: 85 },
];

export function startSplits(): void {
  for (const { id, property, isUpright, least, most } of SPLITS) {
    const bar = element(id);
    let value = Number(bar.getAttribute("aria-valuenow"));
    const set = (wanted: number): void => {
      value = Math.max(least, Math.min(most, wanted));
      bar.setAttribute("aria-valuenow", String(Math.round(value)));
      document.documentElement.style.setProperty(property, `${value}%`);
    };
    bar.addEventListener("pointerdown", (event) => {
      bar.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    bar.addEventListener("pointermove", (event) => {
      if (!bar.hasPointerCapture(event.pointerId)) return;
      const { left, top, width, height } = bar.parentElement!.getBoundingClientRect();
      set(isUpright ? (100 * (event.clientX - left)) / width : (100 * (event.clientY - top)) / height);
    });
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      set(value + step);
    });
  }
}
