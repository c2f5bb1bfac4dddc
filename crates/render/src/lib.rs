//! Records to plots and tables.
