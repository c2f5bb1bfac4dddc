//! The labs: experiments, checks, records.
