//! The scripts have tests of their own, in Python: `scripts/tests/test_*.py`, standard library only.

use std::path::Path;
use std::process::{Child, Command, Stdio};

fn python() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}

fn start(module: &str, folder: &Path) -> Child {
    Command::new(python())
        .args(["-B", "-m", "unittest", module])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{} cannot be started: {error}; expected Python 3.11 or later", python()))
}

/// All at once: most of their time is waiting for engines that hang.
#[test]
fn tests_of_the_scripts_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/tests");
    let mut modules: Vec<String> = std::fs::read_dir(&folder)
        .expect("scripts/tests can be read")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name in UTF-8"))
        .filter_map(|name| name.strip_suffix(".py").map(str::to_string))
        .filter(|name| name.starts_with("test_"))
        .collect();
    modules.sort();
    assert!(modules.len() >= 4, "only {modules:?} in {}", folder.display());
    let running: Vec<(&String, Child)> = modules.iter().map(|module| (module, start(module, &folder))).collect();
    let mut failures = String::new();
    for (module, child) in running {
        let output = child.wait_with_output().expect("the test ends");
        let text = String::from_utf8_lossy(&output.stderr);
        // A file of tests without tests would pass too.
        if !output.status.success() || text.contains("Ran 0 tests") {
            failures += &format!("{module}: {}\n{text}\n", output.status);
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
