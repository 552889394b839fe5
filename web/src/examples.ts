// The example models of the page. They are files of the repository, and the build puts them into the page.
import card from "../../docs/card.onnxtxt";
import branch from "../../testdata/examples/branch.onnxtxt";
import functionText from "../../testdata/examples/function.onnxtxt";
import mlp from "../../testdata/examples/mlp.onnxtxt";
import mistakes from "../../testdata/docs/scale.onnxtxt";

interface Example {
  name: string;
  title: string;
  text: string;
}

export const EXAMPLES: Example[] = [
  { name: "branch.onnxtxt", title: "Control flow with two branches", text: branch },
  { name: "mlp.onnxtxt", title: "A perceptron with weights", text: mlp },
  { name: "function.onnxtxt", title: "A function of the model's own", text: functionText },
  { name: "mistakes.onnxtxt", title: "A text with mistakes", text: mistakes },
  { name: "syntax.onnxtxt", title: "The syntax on one page", text: card },
];
