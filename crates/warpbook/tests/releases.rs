//! Names of a release: where `cargo binstall` looks, what `scripts/release` makes, and what the workflow asks for are
//! the same.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text with each name in braces replaced.
fn expanded(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{ {name} }}"), value))
}

#[test]
fn archives_are_where_binstall_looks_for_them() {
    let manifest = std::fs::read_to_string(root().join("crates/warpbook/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let binstall = manifest["package"]["metadata"]["binstall"].as_table().unwrap();
    assert_eq!(binstall["pkg-fmt"].as_str(), Some("txz"));
    if !tests::tools::are_there(&["python3"]) {
        return;
    }
    let listed =
        Command::new("python3").args(["scripts/release", "--names"]).current_dir(root()).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    let workflow = std::fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
    let mut archives = 0;
    for line in listed.lines() {
        let [target, archive, program] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let windows = target.contains("windows");
        let values = [
            ("repo", env!("CARGO_PKG_REPOSITORY")),
            ("name", env!("CARGO_PKG_NAME")),
            ("bin", "warpbook"),
            ("version", env!("CARGO_PKG_VERSION")),
            ("target", target),
            ("archive-suffix", ".tar.xz"),
            ("binary-ext", if windows { ".exe" } else { "" }),
        ];
        let of = |key: &str| expanded(binstall[key].as_str().unwrap(), &values);
        let releases =
            format!("{}/releases/download/v{}", env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
        assert_eq!(of("pkg-url"), format!("{releases}/{archive}"));
        assert_eq!(of("bin-dir"), program);
        assert!(workflow.contains(&format!("- target: {target}\n")), "release.yml makes no {target}");
        archives += 1;
    }
    assert_eq!(archives, workflow.matches("- target: ").count(), "{listed}");
}
