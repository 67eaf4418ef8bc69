// ulid 3.0.0 (crates.io) with its feature "uuid" (uuid 1.29.3). Run: cargo init gen && cd gen &&
// cargo add ulid@=3.0.0 --features uuid && cargo add uuid@=1.29.3 &&
// cp ../ulid_rust.rs src/main.rs && cargo run -q > ulid_rust.csv
use std::time::{Duration, SystemTime};
use ulid::{Generator, Ulid};

const MAX: u64 = (1 << 48) - 1;
const EDGES: [u64; 21] = [
    0, 1, 2, 999, 1000, 1001, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40,
    946684799999, 951782400000, 2147483647999, 4294967295999, (1 << 47) - 1, 1 << 47,
    253402300799999, 253402300800000, MAX - 1, MAX,
];

struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
    fn random(&mut self) -> u128 {
        (u128::from(self.next()) << 64 | u128::from(self.next())) >> 48
    }
}

fn new_year(year: u64) -> u64 {
    let before = year - 1;
    (365 * (year - 1970) + before / 4 - before / 100 + before / 400 - 477) * 86400000
}

fn show(made: Ulid) {
    let text = made.to_string();
    let read = Ulid::from_string(&text).unwrap();
    println!("{},,{},{}", text, read.timestamp_ms(), uuid::Uuid::from(read));
}

fn main() {
    let mut rng = SplitMix(8);
    println!("id,prefix,unix_ms,uuid");
    for ms in EDGES {
        for random in [0, (1 << 80) - 1, rng.random()] {
            show(Ulid::from_parts(ms, random));
        }
    }
    for year in (1970..10889).step_by(100).chain([10889]) {
        let start = new_year(year);
        for ms in start.saturating_sub(1)..=start + 1 {
            show(Ulid::from_parts(ms, rng.random()));
        }
    }
    for _ in 0..80 {
        show(Ulid::from_parts(rng.next() >> 16, rng.random()));
    }
    for _ in 0..40 {
        show(Ulid::from_parts(1104537600000 + rng.next() % 946684800000, rng.random()));
    }
    let mut carry = Ulid::from_parts(1767225600001, (1 << 40) - 3);
    for _ in 0..10 {
        show(carry);
        carry = carry.increment().unwrap();
    }
    // From here on the library's own randomness: new at every run. A fixed instant in order, then
    // now.
    let mut generator = Generator::new();
    for _ in 0..10 {
        let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1767225600999);
        show(generator.generate_from_datetime(at).unwrap());
    }
    for _ in 0..20 {
        show(Ulid::generate());
    }
}
