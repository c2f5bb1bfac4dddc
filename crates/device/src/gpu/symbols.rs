//! The names of a module's variables, which the driver does not list.
//!
//! Enters: PTX that the driver accepted. Leaves: names, for messages only. Must never know what they are used for.

/// Names of the `__constant__` and `__device__` variables of PTX, in its order.
pub(super) fn symbols(ptx: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0_u32;
    let mut state_space = false;
    let mut last = "";
    for token in tokens(ptx) {
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            ".const" | ".global" => state_space = true,
            "[" | "=" | ";" => {
                if state_space {
                    names.push(last.to_owned());
                }
                state_space = false; // up to the next declaration
            }
            _ => last = token,
        }
    }
    names
}

/// Words and punctuation of PTX, without its comments and strings.
fn tokens(ptx: &str) -> impl Iterator<Item = &str> {
    let mut rest = ptx;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            if let Some(comment) = rest.strip_prefix("//") {
                rest = comment.find('\n').map_or("", |end| &comment[end..]);
            } else if let Some(comment) = rest.strip_prefix("/*") {
                rest = comment.find("*/").map_or("", |end| &comment[end + 2..]);
            } else if let Some(string) = rest.strip_prefix('"') {
                rest = string.find('"').map_or("", |end| &string[end + 1..]);
            } else {
                break;
            }
        }
        let first = rest.chars().next()?;
        let word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '.' | '%');
        let end =
            if word(first) { rest.find(|it| !word(it)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::symbols;

    #[test]
    fn variables_of_a_module_are_listed_and_nothing_else() {
        let ptx = r#"
            .version 8.0 .target sm_52 .address_size 64
            // .const .f32 in_a_comment;
            .const .align 4 .b8 coef[20];
            .visible .global .align 8 .u64 counter = 7;
            .global .align 4 .f32 table[2] = {0f3F800000, 0f40000000};
            .extern .shared .align 16 .b8 smem[];
            .visible .entry k(.param .u64 p) {
                .reg .f32 %f<2>;
                ld.const.f32 %f1, [coef];
                st.global.f32 [%rd1], %f1;
                ret;
            }
            .file 1 ".const .u32 in_a_string;"
            .global .f32 last;"#;
        assert_eq!(symbols(ptx), ["coef", "counter", "table", "last"]);
    }

    #[test]
    fn text_that_is_no_ptx_has_none() {
        for text in ["", "/*", "//", "\"", "}}{;=[", ".const", "ä.const ö;"] {
            assert!(symbols(text).len() <= 1, "{text}");
        }
    }
}
