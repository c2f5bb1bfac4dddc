//! The crate's tests, as one program: to link each file by itself takes longer than to run most of them.

mod addresses;
mod files;
mod launch;
mod launch_bad_jobs;
mod limits;
mod mistakes;
mod references;
mod sections;
