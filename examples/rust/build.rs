// REGIHT_LIB_DIR is the folder of the shared library installed by `cmake --install`.
fn main() {
    println!("cargo:rerun-if-env-changed=REGIHT_LIB_DIR");
    if let Ok(folder) = std::env::var("REGIHT_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
    println!("cargo:rustc-link-lib=dylib=regiht");
}
