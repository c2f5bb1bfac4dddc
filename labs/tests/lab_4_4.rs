//! The real binary, as a reader calls it, on the embedded device.

use crate::common::{self, Lab, record};
use tests::Result;

const LAB: Lab = ("lab-4-4", env!("CARGO_BIN_EXE_lab-4-4"));

#[test]
fn everything_that_must_be_refused_is_and_the_answer_is_in_the_record() -> Result {
    let record = record(LAB, "--quick")?;
    let found =
        |id: &str| record.checks.iter().find(|c| c.id == format!("refused/{id}")).map(|c| c.found.as_str());
    for (id, words) in [
        ("past-the-end", "bytes 1020..1028 are not inside of its 1024 bytes"),
        ("missing-symbol", "it has: constData, devData, devPointer"),
        ("too-many-constants", "65540 bytes, and a module has 65536"),
        ("store-to-a-constant", "st.const"),
        ("shared-variable", "no constant or global variable `tile`"),
    ] {
        assert!(found(id).is_some_and(|found| found.contains(words)), "{id}: {:?}", found(id));
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_kernel_that_forgets_the_variable_fails_its_check() -> Result {
    let folder = tempfile::tempdir()?;
    let edit = common::Edit {
        kernel: &kernels::SYMBOLS,
        cu: ["constData[i % COUNT] * devData", "constData[i % COUNT]"],
        ptx: &[["fma.rn.f32 \t%f4, %f2, %f1, %f3;", "add.f32 \t%f4, %f2, %f3;"]],
    };
    let output = edit.run(LAB.1, folder.path(), "")?;
    assert_eq!(output.status.code(), Some(1), "{}", tests::program::stderr(&output));
    Ok(())
}

#[test]
fn what_an_edited_kernel_prints_is_shown_by_kernel() -> Result {
    let folder = tempfile::tempdir()?;
    let prints = kernels::SYMBOLS
        .cu
        .replace("if (i < n) out[i]", "if (i == 0) printf(\"here\\n\");\n    if (i < n) out[i]");
    std::fs::write(folder.path().join("symbols.cu"), prints)?;
    let line = "--quick --device simt --no-plots --out out --kernel symbols.cu";
    let output = tests::program::run(LAB.1, folder.path(), line)?;
    let reported = tests::program::stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{reported}");
    let shown = tests::program::stdout(&output);
    assert!(shown.contains("printed by ") && shown.contains("\n    here\n"), "{shown}");
    Ok(())
}

#[test]
fn an_edited_kernel_is_compiled_with_the_options_of_the_command_line() -> Result {
    let folder = tempfile::tempdir()?;
    let text = format!("#ifndef FACTOR\n#error no FACTOR\n#endif\n{}", kernels::SYMBOLS.cu);
    std::fs::write(folder.path().join("symbols.cu"), text)?;
    let line = "--quick --device simt --no-plots --out out --kernel symbols.cu -DFACTOR=2 -use_fast_math --fmad=false";
    let output = tests::program::run(LAB.1, folder.path(), line)?;
    assert_eq!(output.status.code(), Some(0), "{}", tests::program::stderr(&output));
    let record = common::read(&folder.path().join("out/lab-4-4.json"))?;
    assert_eq!(record.kernels[0].options, ["-DFACTOR=2", "--fmad=false", "--use_fast_math"]);
    // Without a reader's kernel there is nothing to compile.
    let output = tests::program::run(LAB.1, folder.path(), "--quick --device simt --no-plots -DFACTOR=2")?;
    let reported = tests::program::stderr(&output);
    assert!(
        output.status.code() == Some(2)
            && reported.contains("options of the compiler are for a file of --kernel"),
        "{reported}"
    );
    Ok(())
}

#[test]
fn the_record_of_an_edited_kernel_holds_its_source_and_does_not_depend_on_where_it_is() -> Result {
    let folder = tempfile::tempdir()?;
    let run = |path: &str, text: &str| -> Result<record::Record> {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().ok_or("a file is in a folder")?)?;
        std::fs::write(&file, text)?;
        let line = format!("--quick --device simt --no-plots --out {path}.out --kernel {path}");
        let output = tests::program::run(LAB.1, folder.path(), &line)?;
        assert_eq!(output.status.code(), Some(0), "{}", tests::program::stderr(&output));
        let text = std::fs::read_to_string(folder.path().join(format!("{path}.out/lab-4-4.json")))?;
        Ok(record::Record::from_json(&text)?)
    };
    let text = format!("// mine\n{}", kernels::SYMBOLS.cu);
    let (here, there) = (run("symbols.cu", &text)?, run("far/away/symbols.cu", &text)?);
    assert_eq!(
        (here.version, here.kernels.as_slice()),
        (record::VERSION_WITH_SOURCES, there.kernels.as_slice())
    );
    assert_eq!(here.kernels[0].source.as_deref(), Some(text.as_str()));
    assert_eq!(here.kernels[0].compiler.as_deref(), Some(kernels::OWN));
    assert_eq!(here.checks, there.checks);
    // One that takes a file of the reader's cannot be compiled from the record alone.
    std::fs::write(folder.path().join("mine.h"), "#define MINE 1\n")?;
    let including = run("symbols.cu", &format!("#include \"mine.h\"\n{text}"))?;
    assert_eq!((including.version, &including.kernels[0].source), (record::VERSION, &None));
    Ok(())
}
