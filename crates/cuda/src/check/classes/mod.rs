//! Classes: members and layout, special members, destruction, access to members, and lambdas, which are classes too.

pub(crate) mod destroy;
pub(crate) mod lambda;
pub(crate) mod layout;
pub(crate) mod method;
pub(crate) mod special;
