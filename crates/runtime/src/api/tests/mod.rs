//! Programs as the API sees them: a host that is a piece of memory, and kernels on the embedded device.

mod arrays;
mod both_sides;
mod capture;
mod copies;
mod freeing;
mod functions;
mod graphs;
mod headers;
mod host;
mod pitched;
mod pools;
mod random;
mod streams;
mod symbols;
mod vector_sum;
