declare module "*.onnxtxt" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}
