//! pulid columns with tokio-postgres. The server is the one that PGHOST etc. name.

mod pulid;

use std::env;
use std::fmt::Debug;
use std::pin::pin;
use std::process::ExitCode;

use pulid::Pulid;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Error, NoTls, Row};
use type_safe_id::{StaticType, TypeSafeId};

const SCHEMA: &str = "
    CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
    CREATE TABLE product (
        id      pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
        name    text NOT NULL,
        related pulid('prd')[]
    );
    CREATE TABLE sale (
        id      pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal'),
        product pulid('prd') REFERENCES product
    );";

#[derive(Default)]
struct Product;

impl StaticType for Product {
    const TYPE: &'static str = "prd";
}

fn new_id() -> Pulid {
    Pulid(TypeSafeId::<Product>::new().to_string())
}

#[derive(Default)]
struct Checks {
    run: u32,
    failed: u32,
}

impl Checks {
    fn check<T: PartialEq + Debug>(&mut self, what: &str, got: T, expected: T) {
        self.run += 1;
        if got == expected {
            println!("ok {} - {what}", self.run);
        } else {
            self.failed += 1;
            println!(
                "not ok {} - {what}\n# got {got:?}\n# expected {expected:?}",
                self.run
            );
        }
    }
}

async fn names(
    db: &Client,
    sql: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Vec<String>, Error> {
    let rows = db.query(sql, values).await?;
    Ok(rows.iter().map(|row: &Row| row.get(0)).collect())
}

fn code(error: Error) -> Option<SqlState> {
    error.code().cloned()
}

async fn run(db: &Client, checks: &mut Checks) -> Result<(), Error> {
    db.batch_execute(SCHEMA).await?;

    let made = "INSERT INTO product (name) VALUES ($1) RETURNING id, related";
    let lamp = db.query_one(made, &[&"lamp"]).await?;
    let related: Option<Vec<Pulid>> = lamp.get("related");
    let lamp: Pulid = lamp.get("id");
    checks.check(
        "the default makes an id, RETURNING gives it",
        lamp.0.len(),
        30,
    );
    checks.check("NULL comes back as None", related, None);

    let desk = new_id();
    let list = vec![Some(lamp.clone()), None];
    let stored = "INSERT INTO product VALUES ($1, $2, $3) RETURNING id, related";
    let row = db.query_one(stored, &[&desk, &"desk", &list]).await?;
    checks.check(
        "a TypeID of type-safe-id is stored as it is",
        row.get("id"),
        desk.clone(),
    );
    checks.check(
        "an array of ids and NULL comes back as a Vec",
        row.get("related"),
        list,
    );

    let by_id = "SELECT name FROM product WHERE id = $1";
    checks.check(
        "an id finds it",
        names(db, by_id, &[&desk]).await?,
        vec!["desk".into()],
    );
    let both = vec![lamp.clone(), desk.clone()];
    let any = "SELECT name FROM product WHERE id = ANY($1) ORDER BY name";
    let found = names(db, any, &[&both]).await?;
    checks.check("so does a list", found, vec!["desk".into(), "lamp".into()]);
    let typed = db
        .query_typed(by_id, &[(&desk.0.as_str(), Type::TEXT)])
        .await?;
    checks.check(
        "so does a &str that is sent as text",
        typed[0].get(0),
        "desk",
    );
    let holder = "SELECT name FROM product WHERE related @> $1";
    let found = names(db, holder, &[&vec![&lamp]]).await?;
    checks.check("an array is searched by a list", found, vec!["desk".into()]);
    let tail = format!("%{}", desk.0[22..].to_uppercase());
    let search = "SELECT name FROM product WHERE id ILIKE $1";
    checks.check(
        "a pattern, a plain &str",
        names(db, search, &[&tail]).await?,
        vec!["desk".into()],
    );

    let prepared = db.prepare(by_id).await?;
    checks.check(
        "a prepared statement asks for a pulid",
        prepared.params()[0].name(),
        "pulid",
    );
    let mut found = String::new();
    for _ in 0..6 {
        // from the sixth execution on, the plan is made without the value
        found = db.query_one(&prepared, &[&desk]).await?.get(0);
    }
    checks.check("and is used again", found.as_str(), "desk");

    let sell = "INSERT INTO sale (product) VALUES ($1) RETURNING id";
    let sale: Pulid = db.query_one(sell, &[&desk]).await?.get(0);
    let join = "SELECT name FROM sale s JOIN product p ON p.id = s.product WHERE s.id = $1";
    let found = names(db, join, &[&sale]).await?;
    checks.check("a join over the foreign key", found, vec!["desk".into()]);
    let json = "SELECT to_jsonb(s) ->> 'product' FROM sale s";
    checks.check(
        "in JSON an id is a string",
        names(db, json, &[]).await?,
        vec![desk.to_string()],
    );
    let in_json = "SELECT name FROM sale s JOIN product p ON p.id = to_jsonb(s) ->> 'product'";
    let found = names(db, in_json, &[]).await?;
    checks.check(
        "a string in JSON joins with an id",
        found,
        vec!["desk".into()],
    );
    let update = "UPDATE sale SET product = $1 WHERE id = $2 RETURNING product";
    let moved: Pulid = db.query_one(update, &[&lamp, &sale]).await?.get(0);
    checks.check("the foreign key is updated", &moved, &lamp);

    let mut ids: Vec<Pulid> = (0..1000).map(|_| new_id()).collect();
    let pulid = prepared.params()[0].clone();
    let sink = db
        .copy_in("COPY product (id, name) FROM STDIN (FORMAT binary)")
        .await?;
    let mut copy = pin!(BinaryCopyInWriter::new(sink, &[pulid, Type::TEXT]));
    for id in &ids {
        copy.as_mut().write(&[id, &"bulk"]).await?;
    }
    copy.finish().await?;
    ids.extend(both);
    ids.sort();
    let mut seen: Vec<Pulid> = Vec::new();
    let mut last = Pulid(format!("prd_{}", "0".repeat(26)));
    loop {
        let page = "SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT 300";
        let rows = db.query(page, &[&last]).await?;
        seen.extend(rows.iter().map(|row| row.get::<_, Pulid>(0)));
        match rows.last() {
            Some(row) => last = row.get(0),
            None => break,
        }
    }
    checks.check("binary COPY; pages by key give all, in order", seen, ids);

    let wrong = Pulid("usr_01jq3v8f6a7b2c8d9e0f1g2h3j".into());
    let error = db.query(sell, &[&wrong]).await.unwrap_err();
    checks.check(
        "a wrong prefix is CHECK_VIOLATION",
        code(error),
        Some(SqlState::CHECK_VIOLATION),
    );
    let junk = Pulid("prd_junk".into());
    let error = db.query(sell, &[&junk]).await.unwrap_err();
    checks.check(
        "junk is INVALID_BINARY_REPRESENTATION, 22P03",
        code(error),
        Some(SqlState::INVALID_BINARY_REPRESENTATION),
    );
    let error = db
        .query_typed(sell, &[(&junk, Type::TEXT)])
        .await
        .unwrap_err();
    checks.check(
        "as a text it is INVALID_TEXT_REPRESENTATION, 22P02",
        code(error),
        Some(SqlState::INVALID_TEXT_REPRESENTATION),
    );
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Error> {
    let from_env = |name| env::var(name).unwrap_or_default();
    let (db, connection) = Config::new()
        .host(from_env("PGHOST"))
        .user(from_env("PGUSER"))
        .dbname(from_env("PGDATABASE"))
        .connect(NoTls)
        .await?;
    tokio::spawn(connection);
    let mut checks = Checks::default();
    run(&db, &mut checks).await?;
    println!("1..{}", checks.run);
    Ok(if checks.failed > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
