//! End-to-end tests: the real binaries, a real book build.
