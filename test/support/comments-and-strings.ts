/** The comments and the strings of a TypeScript file: what people read of it besides code. */
import ts from 'typescript';

export interface Text {
  readonly line: number;
  readonly text: string;
}

export function commentsAndStrings(file: string, source: string): Text[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest);
  const texts: Text[] = [];
  const pieces: string[] = [];
  let end = 0;
  const add = (start: number, text: string) => {
    texts.push({ line: tree.getLineAndCharacterOfPosition(start).line + 1, text });
  };
  const visit = (node: ts.Node): void => {
    if (isText(node)) {
      const start = node.getStart(tree);
      if (node.kind !== ts.SyntaxKind.RegularExpressionLiteral) add(start, source.slice(start, node.end));
      pieces.push(source.slice(end, start), source.slice(start, node.end).replace(/[^\n]/g, ' '));
      end = node.end;
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  // without literals, every comment mark left begins a comment
  const code = pieces.join('') + source.slice(end);
  for (const { index, 0: comment } of code.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)) add(index, comment);
  return texts;
}

const isText = (node: ts.Node) =>
  ts.isStringLiteralLike(node) ||
  node.kind === ts.SyntaxKind.TemplateHead ||
  node.kind === ts.SyntaxKind.TemplateMiddle ||
  node.kind === ts.SyntaxKind.TemplateTail ||
  node.kind === ts.SyntaxKind.RegularExpressionLiteral;
