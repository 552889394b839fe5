// Reads a picture in the DOT language into nodes, lines and frames. It reads the output of src/draw/dot.cc line by
// line.
import type { Range } from "./protocol";

type Shape = "op" | "input" | "output" | "weight" | "unknown";

export interface DrawnNode {
  id: string;
  shape: Shape;
  title: string;
  /** The node's name in the model. */
  name: string;
  details: string[];
  /** The text in which the search for nodes looks. */
  words: string;
  place?: Range;
  changed?: string;
}

export interface DrawnLine {
  from: string;
  to: string;
  /** The name of the value. */
  value: string;
  type: string;
}

/** The contents of the whole picture or of one frame. */
export interface Level {
  nodes: DrawnNode[];
  frames: Frame[];
}

/** A frame around a subgraph of a node, or around a function. */
export interface Frame extends Level {
  id: string;
  title: string;
  /** The node that contains the subgraph. */
  owner?: string;
}

/** A picture. `lines` contains all lines, including those inside of frames. */
export interface Drawing extends Level {
  lines: DrawnLine[];
}

interface Facts {
  places: Record<string, Range>;
  words: Record<string, string>;
  changed: Record<string, string>;
  types: Map<string, string>;
}

// Names from models are escaped, so labels contain no '<', '>' or '"' from them, and the last '>, ' ends the label.
const NODE = /^ *(n\d+) \[label=<(.*)>, (?:class=(\w+), )?.*\];$/;
const LINE = /^ *(n\d+) -> (n\d+) \[(?:lhead=(\w+), )?(?:label=<(.*)>, )?(?:tooltip="(.*)")?.*\];$/;
const FRAME = /^ *subgraph (cluster_\d+) \{$/;
const TITLE = / label=<(.*)>;$/;
const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#92;": "\\" };

function plain(html: string): string {
  return html.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot|#92);/g, (entity) => ENTITIES[entity]);
}

function nodeOf(id: string, label: string, shape: Shape, facts: Facts): DrawnNode {
  const [head, details = ""] = label.split(/<BR\/><FONT [^>]*>/);
  const [title, ...more] = head.split("<BR/>").map(plain);
  const lines = details.split('<BR ALIGN="LEFT"/>').map(plain).filter((line) => line !== "");
  const isOperator = shape === "op";
  return {
    id,
    shape,
    title: title.trim(),
    name: isOperator ? (more[0] ?? "") : "",
    details: isOperator ? lines : more,
    words: (facts.words[id] ?? plain(head)).toLowerCase(),
    place: facts.places[id],
    changed: facts.changed[id],
  };
}

export function parseDot(dot: string, facts: Facts): Drawing {
  const top: Drawing = { nodes: [], lines: [], frames: [] };
  const open: (Level & { title?: string })[] = [top];
  const frames = new Map<string, Frame>();
  for (const line of dot.split("\n")) {
    let match: RegExpExecArray | null;
    const inner = open[open.length - 1];
    if ((match = LINE.exec(line))) {
      const [, from, to, head, label = "", value = ""] = match;
      const frame = head === undefined ? undefined : frames.get(head);
      if (frame) frame.owner = from;
      else {
        const name = plain(value);
        top.lines.push({ from, to, value: name, type: plain(label).trim() || (facts.types.get(name) ?? "") });
      }
    } else if ((match = NODE.exec(line))) {
      inner.nodes.push(nodeOf(match[1], match[2], (match[3] as Shape | undefined) ?? "op", facts));
    } else if ((match = FRAME.exec(line))) {
      const frame: Frame = { id: match[1], title: "", nodes: [], frames: [] };
      frames.set(frame.id, frame);
      inner.frames.push(frame);
      open.push(frame);
    } else if ((match = TITLE.exec(line))) {
      inner.title = plain(match[1]);
    } else if (/^ *\}$/.test(line) && open.length > 1) {
      open.pop();
    }
  }
  return top;
}

/** Returns the number of nodes, including those in all frames. Inputs and outputs do not count. */
export function countNodes(level: Level): number {
  return level.nodes.filter(({ shape }) => shape === "op").length + level.frames.reduce((sum, frame) => sum + countNodes(frame), 0);
}
