//! Templates: arguments given and deduced, specialisations, instances, and how many there may be.

pub(crate) mod deduce;
pub(crate) mod growth;
pub(crate) mod guide;
pub(crate) mod marker;
pub(crate) mod template;
pub(crate) mod traits;
