declare module "*.onnxtxt" {
  const text: string;
  export default text;
}
