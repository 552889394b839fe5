// The fonts of pictures, both for measuring texts in the layout and for painting them.
export const TITLE_FONT = "600 12px system-ui, sans-serif";
export const LINE_FONT = "10px system-ui, sans-serif";
