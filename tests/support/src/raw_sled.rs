//! sled alone, to change what is stored behind the store's back.

use std::path::Path;
use std::thread;
use std::time::Duration;

/// The store's own files. Their lock outlives the last owner a little.
pub fn raw(path: &Path) -> sled::Db {
    // Without sled's timer, which would hold closing up.
    let config = sled::Config::new().path(path).segment_size(8 << 20).flush_every_ms(None);
    for _ in 0..500 {
        match config.open() {
            Err(error) if error.to_string().contains("could not acquire lock") => {
                thread::sleep(Duration::from_millis(10));
            }
            opened => return opened.unwrap(),
        }
    }
    panic!("the lock was not let go");
}
