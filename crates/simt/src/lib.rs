//! The embedded SIMT device: executes PTX warp by warp and counts what the hardware would count.
