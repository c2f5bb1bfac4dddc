//! PTX text to an AST with spans; no meaning.
