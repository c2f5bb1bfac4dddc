//! The mdBook preprocessor for records, and the binary that builds the book.
