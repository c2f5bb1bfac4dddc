// What the book's editor has of CodeMirror; scripts/editor bundles it as the global `WarpbookEditor`.
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { cpp } from "@codemirror/lang-cpp";
export { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { Compartment, EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
export {
    Decoration,
    drawSelection,
    EditorView,
    gutter,
    GutterMarker,
    highlightActiveLine,
    highlightActiveLineGutter,
    keymap,
    lineNumbers,
    MatchDecorator,
    ViewPlugin,
} from "@codemirror/view";
export { tags } from "@lezer/highlight";
