//! A pulid for tokio-postgres, which sends and reads everything in the binary format and lets
//! `String` stand for the types that it knows only. The binary format of a pulid is its text.

use std::error::Error;
use std::fmt;

use bytes::BytesMut;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pulid(pub String);

impl ToSql for Pulid {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        self.0.to_sql(&Type::TEXT, out)
    }

    fn accepts(ty: &Type) -> bool {
        ty.name() == "pulid" || <String as ToSql>::accepts(ty)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Pulid {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        String::from_sql(&Type::TEXT, raw).map(Pulid)
    }

    fn accepts(ty: &Type) -> bool {
        ty.name() == "pulid" || <String as FromSql>::accepts(ty)
    }
}

impl fmt::Display for Pulid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
