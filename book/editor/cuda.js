// CUDA C as the editor colours and indents it: token by token, without a grammar, which would be a quarter of the bundle.
//
// Each kind of token has a class, so that the style sheet chooses the colours of each theme.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { Tag, tags as t } from "@lezer/highlight";

const KEYWORDS = new Set(
    ("alignas alignof asm auto break case catch class concept const const_cast consteval constexpr constinit continue decltype default " +
        "delete do dynamic_cast else enum explicit extern final for friend goto if inline mutable namespace new noexcept operator override " +
        "private protected public register reinterpret_cast requires return sizeof static static_assert static_cast struct switch template " +
        "this thread_local throw try typedef typeid typename union using virtual volatile while").split(" ")
);
const LITERALS = new Set(["true", "false", "nullptr"]);
const TYPE = /^(?:void|bool|char|short|int|long|float|double|signed|unsigned|dim3|half2?|uint|u?(?:char|short|int|long|longlong)[1-4]|(?:float|double)[1-4]|\w+_t)$/;
const CUDA =
    /^(?:__(?:global|device|host|shared|constant|restrict|managed|grid_constant|launch_bounds|forceinline|noinline|align)__|(?:thread|block)Idx|(?:block|grid)Dim|warpSize|__(?:sync\w+|shfl\w*|ldg|ballot\w*|threadfence\w*)|atomic[A-Z]\w*)$/;
// Behind these a name is one of a type.
const DECLARES = new Set(["class", "enum", "struct", "typename", "union"]);
const NUMBER = /^(?:0[xX][\da-fA-F']+|0[bB][01']+|(?:\d[\d']*\.?[\d']*|\.\d[\d']*)(?:[eE][-+]?\d+)?)[uUlLfFzZ]*/;
const CLOSES = { "(": ")", "[": "]", "{": "}" };
const cudaWord = Tag.define();

// The rest of what goes on behind the line, up to its end.
function behind(stream, state) {
    const [end, kind] = state.within;
    if (stream.skipTo(end)) {
        stream.match(end);
        state.within = null;
    } else stream.skipToEnd();
    return kind;
}

function word(stream, state, text) {
    const declared = state.declares;
    state.declares = DECLARES.has(text);
    if (CUDA.test(text)) return "cuda";
    if (KEYWORDS.has(text)) return "keyword";
    if (LITERALS.has(text)) return "bool";
    if (declared) state.types.add(text);
    if (state.types.has(text) || TYPE.test(text)) return "typeName";
    return stream.match(/^\s*(?:\(|<<<)/, false) ? "variableName.function" : "variableName";
}

function token(stream, state) {
    if (state.within) return behind(stream, state);
    if (stream.sol()) state.directive = Boolean(stream.match(/^\s*#\s*\w*/));
    if (stream.current()) {
        if (/include$/.test(stream.current())) state.includes = true;
        return "meta";
    }
    if (stream.eatSpace()) return null;
    if (state.includes) {
        state.includes = false;
        if (stream.match(/^<[^>]*>/)) return "string";
    }
    if (stream.match("//")) return stream.skipToEnd(), "comment";
    if (stream.match("/*")) return (state.within = ["*/", "comment"]), behind(stream, state);
    const raw = stream.match(/^(?:u8?|U|L)?R"([^\s()\\]{0,16})\(/);
    if (raw) return (state.within = [`)${raw[1]}"`, "string"]), behind(stream, state);
    if (!state.directive) state.last = stream.peek();
    if (stream.match(/^(?:u8?|U|L)?"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^(?:u8?|U|L)?'(?:[^'\\]|\\.)*'?/)) return "character";
    if (stream.match(NUMBER)) return "number";
    const name = stream.match(/^[A-Za-z_$][\w$]*/);
    if (name) return word(stream, state, name[0]);
    const one = stream.next();
    if (CLOSES[one]) state.open = [...state.open, { close: CLOSES[one], at: stream.indentation() }];
    else if (one === state.open.at(-1)?.close) state.open = state.open.slice(0, -1);
    return null;
}

// A line begins in what is open, and further in where a statement goes on.
function indent({ within, open, last }, text, { unit }) {
    if (within || /^\s*#/.test(text)) return null;
    const inner = open.at(-1);
    if (!inner) return 0;
    if (text.startsWith(inner.close)) return inner.at;
    const goesOn = inner.close === "}" && !/[;{}:]/.test(last) && !text.startsWith("{");
    return inner.at + (goesOn ? 2 : 1) * unit;
}

const language = StreamLanguage.define({
    name: "cuda",
    startState: () => ({ within: null, directive: false, includes: false, declares: false, open: [], last: ";", types: new Set() }),
    copyState: (state) => ({ ...state, types: new Set(state.types) }),
    token,
    indent,
    tokenTable: { cuda: cudaWord },
    languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, indentOnInput: /^\s*[{}]$/ },
});

const colours = HighlightStyle.define([
    { tag: t.comment, class: "live-comment" },
    { tag: t.keyword, class: "live-keyword" },
    { tag: cudaWord, class: "live-cuda" },
    { tag: t.typeName, class: "live-type" },
    { tag: [t.number, t.bool, t.character], class: "live-number" },
    { tag: t.string, class: "live-string" },
    { tag: t.meta, class: "live-meta" },
    { tag: t.function(t.variableName), class: "live-function" },
]);

export const cuda = [language, syntaxHighlighting(colours)];
