//! Prints what ptxas is thought to make of the kernels of PTX files.
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let Ok(module) = ptx::parse(&text) else {
            println!("{path}\t-");
            continue;
        };
        for f in module.functions.iter().filter(|f| f.is_kernel && f.body.is_some()) {
            let made = ptxas::kernel(&module, f.name).unwrap();
            for (at, m) in &made.instructions {
                println!(
                    "{path}\t{}\t{at}\t{}\t{:?}\t{:?}\t{}",
                    f.name,
                    module.place(ptx::At(*at)).line,
                    m.what,
                    m.access,
                    m.predicated.map_or(0, |p| module.place(ptx::At(p)).line)
                );
            }
            println!("{path}\t{}\tunknown\t{:?}", f.name, made.unknown);
        }
    }
}
