//! pulid columns with sqlx. The server is the one that PGHOST etc. name.

use std::fmt::Debug;
use std::process::ExitCode;

use sqlx::error::ErrorKind;
use sqlx::postgres::{
    PgConnectOptions, PgDatabaseError, PgHasArrayType, PgPoolOptions, PgTypeInfo,
};
use sqlx::types::JsonValue;
use sqlx::{Error, FromRow, PgPool, Row};
use ulid::Ulid;

/// All that sqlx has to know. Parameters may as well be strings: they go as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(type_name = "pulid")]
struct Pulid(String);

impl PgHasArrayType for Pulid {
    fn array_type_info() -> PgTypeInfo {
        PgTypeInfo::array_of("pulid")
    }
}

#[derive(FromRow)]
struct Product {
    id: Pulid,
    name: String,
    related: Option<Vec<Option<Pulid>>>,
}

fn new_id() -> String {
    format!("prd_{}", Ulid::generate()).to_lowercase() // the library writes upper case
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

/// The kind and the SQLSTATE of what the database refused.
fn refusal(error: Error) -> (ErrorKind, String) {
    let error = error
        .into_database_error()
        .expect("an error of the database");
    let code = error.downcast_ref::<PgDatabaseError>().code().to_string();
    (error.kind(), code)
}

async fn run(db: &PgPool, checks: &mut Checks) -> Result<(), Error> {
    sqlx::migrate!().run(db).await?;

    let lamp: Product = sqlx::query_as("INSERT INTO product (name) VALUES ($1) RETURNING *")
        .bind("lamp")
        .fetch_one(db)
        .await?;
    checks.check(
        "the default makes an id, RETURNING gives it",
        lamp.id.0.len(),
        30,
    );
    checks.check("NULL comes back as None", lamp.related, None);
    let desk = new_id();
    let list = vec![Some(lamp.id.clone()), None];
    let row: Product = sqlx::query_as("INSERT INTO product VALUES ($1, $2, $3) RETURNING *")
        .bind(&desk)
        .bind("desk")
        .bind(&list)
        .fetch_one(db)
        .await?;
    checks.check("an id of ulid is stored as it is", &row.id.0, &desk);
    checks.check(
        "an array of ids and NULL comes back as a Vec",
        row.related,
        Some(list),
    );
    checks.check("beside other types", row.name.as_str(), "desk");

    let by_id = "SELECT name FROM product WHERE id = $1";
    let found: String = sqlx::query_scalar(by_id).bind(&desk).fetch_one(db).await?;
    checks.check("a string finds it", found.as_str(), "desk");
    let found: String = sqlx::query_scalar(by_id)
        .bind(&row.id)
        .fetch_one(db)
        .await?;
    checks.check("so does a Pulid", found.as_str(), "desk");
    let any = "SELECT name FROM product WHERE id = ANY($1) ORDER BY name";
    let both = vec![lamp.id.0.clone(), desk.clone()];
    let found: Vec<String> = sqlx::query_scalar(any).bind(&both).fetch_all(db).await?;
    checks.check(
        "a list of strings",
        found,
        vec!["desk".into(), "lamp".into()],
    );
    let both: Vec<Pulid> = both.into_iter().map(Pulid).collect();
    let found: Vec<String> = sqlx::query_scalar(any).bind(&both).fetch_all(db).await?;
    checks.check(
        "a list of Pulids",
        found,
        vec!["desk".into(), "lamp".into()],
    );
    let found: Vec<String> = sqlx::query_scalar("SELECT name FROM product WHERE related @> $1")
        .bind(vec![&lamp.id])
        .fetch_all(db)
        .await?;
    checks.check(
        "an array is searched by a list of Pulids",
        found,
        vec!["desk".into()],
    );
    let found: Vec<String> = sqlx::query_scalar("SELECT name FROM product WHERE id ILIKE $1")
        .bind(format!("%{}", desk[22..].to_uppercase()))
        .fetch_all(db)
        .await?;
    checks.check("a pattern, as search boxes use", found, vec!["desk".into()]);
    for _ in 0..6 {
        // prepared once; from the sixth execution on, the plan is made without the value
        sqlx::query(by_id).bind(&desk).fetch_one(db).await?;
    }
    let prepared: i64 = sqlx::query_scalar(
        "SELECT generic_plans FROM pg_prepared_statements WHERE statement = $1 \
         AND 'text' = parameter_types[1]::text",
    )
    .bind(by_id)
    .fetch_one(db)
    .await?;
    checks.check("a prepared statement finds it", prepared > 0, true);

    let sale: Pulid = sqlx::query_scalar("INSERT INTO sale VALUES (DEFAULT, $1, $2) RETURNING id")
        .bind(&desk)
        .bind(JsonValue::from_iter([("product", desk.as_str())]))
        .fetch_one(db)
        .await?;
    let found: String = sqlx::query_scalar(
        "SELECT name FROM sale s JOIN product p ON p.id = s.product WHERE s.id = $1",
    )
    .bind(&sale)
    .fetch_one(db)
    .await?;
    checks.check("a join over the foreign key", found.as_str(), "desk");
    let moved = sqlx::query(
        "UPDATE sale SET product = $1 WHERE id = $2 RETURNING product, to_jsonb(sale) AS json",
    )
    .bind(&lamp.id.0)
    .bind(&sale.0)
    .fetch_one(db)
    .await?;
    checks.check(
        "the foreign key is updated",
        moved.get("product"),
        lamp.id.clone(),
    );
    let json: JsonValue = moved.get("json");
    checks.check(
        "in JSON an id is a string",
        json["id"].as_str(),
        Some(sale.0.as_str()),
    );
    let found: String =
        sqlx::query_scalar("SELECT name FROM sale JOIN product p ON p.id = data ->> 'product'")
            .fetch_one(db)
            .await?;
    checks.check("a string in JSON joins with an id", found.as_str(), "desk");

    let mut ids: Vec<String> = (0..1000).map(|_| new_id()).collect();
    sqlx::query("INSERT INTO product (id, name) SELECT unnest($1), 'bulk'")
        .bind(&ids[..500])
        .execute(db)
        .await?;
    let lines: String = ids[500..]
        .iter()
        .map(|id| format!("{id}\tbulk\n"))
        .collect();
    let mut connection = db.acquire().await?;
    let mut copy = connection
        .copy_in_raw("COPY product (id, name) FROM STDIN")
        .await?;
    copy.send(lines.as_bytes()).await?;
    copy.finish().await?;
    drop(connection);
    ids.extend([lamp.id.0.clone(), desk.clone()]);
    ids.sort();
    let mut seen: Vec<String> = Vec::new();
    let mut last = format!("prd_{}", "0".repeat(26));
    loop {
        let page = "SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT 300";
        let rows: Vec<Pulid> = sqlx::query_scalar(page).bind(&last).fetch_all(db).await?;
        seen.extend(rows.into_iter().map(|id| id.0));
        match seen.last() {
            Some(id) if *id != last => last = id.clone(),
            _ => break,
        }
    }
    checks.check("unnest, COPY; pages by key give all, in order", seen, ids);

    let sell = "INSERT INTO sale (product) VALUES ($1)";
    let wrong = "usr_01jq3v8f6a7b2c8d9e0f1g2h3j";
    let error = sqlx::query(sell).bind(wrong).execute(db).await.unwrap_err();
    let expected = (ErrorKind::CheckViolation, "23514".into());
    checks.check(
        "a wrong prefix is a CheckViolation, 23514",
        refusal(error),
        expected,
    );
    let error = sqlx::query(sell)
        .bind("prd_junk")
        .execute(db)
        .await
        .unwrap_err();
    checks.check(
        "junk is 22P02, kind Other",
        refusal(error),
        (ErrorKind::Other, "22P02".into()),
    );
    let junk = Pulid("prd_junk".into());
    let update = "UPDATE sale SET product = $1";
    let error = sqlx::query(update)
        .bind(junk)
        .execute(db)
        .await
        .unwrap_err();
    checks.check(
        "22P03 as a Pulid",
        refusal(error),
        (ErrorKind::Other, "22P03".into()),
    );
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode, Error> {
    let pool = PgPoolOptions::new().max_connections(1);
    let db = pool.connect_with(PgConnectOptions::new()).await?;
    let mut checks = Checks::default();
    run(&db, &mut checks).await?;
    println!("1..{}", checks.run);
    Ok(if checks.failed > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
