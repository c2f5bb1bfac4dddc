//! Classes: members and layout, special members, destruction, access to members, and lambdas, which are classes too.

pub(crate) mod allocate;
pub(crate) mod destroy;
pub(crate) mod elements;
pub(crate) mod identity;
pub(crate) mod lambda;
pub(crate) mod layout;
pub(crate) mod member_pointer;
pub(crate) mod method;
pub(crate) mod outside;
pub(crate) mod polymorphic;
pub(crate) mod special;
pub(crate) mod virtual_base;
