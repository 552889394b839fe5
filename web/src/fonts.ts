// The fonts of pictures: the layout measures what is painted.
export const TITLE_FONT = "600 12px system-ui, sans-serif";
export const LINE_FONT = "10px system-ui, sans-serif";
