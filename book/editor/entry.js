// What the book's editor has of CodeMirror; scripts/editor bundles it as the global `WarpbookEditor`.
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
export { lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap } from "@codemirror/search";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
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
    WidgetType,
} from "@codemirror/view";
export { cuda } from "./cuda.js";
