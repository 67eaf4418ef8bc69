package example;

import java.io.StringReader;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;

import com.github.f4b6a3.ulid.UlidCreator;
import org.postgresql.PGConnection;
import org.postgresql.util.PGobject;
import org.postgresql.util.PSQLException;

/** pulid columns with pgjdbc: ids are strings. Takes the URL of a database. */
public final class Main {
    private static final String SCHEMA = """
            CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
            CREATE TABLE product (
                id      pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
                name    text NOT NULL,
                related pulid('prd')[]
            );
            CREATE TABLE sale (
                id      pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal'),
                product pulid('prd') REFERENCES product,
                data    jsonb
            );
            """;

    private static int checks;
    private static int failures;

    private static void check(String what, Object got, Object expected) {
        checks++;
        if (Objects.equals(got, expected)) {
            System.out.printf("ok %d - %s%n", checks, what);
        } else {
            failures++;
            System.out.printf("not ok %d - %s%n", checks, what);
            System.out.printf("# got %s%n# expected %s%n", got, expected);
        }
    }

    private static String newId() {
        return "prd_" + UlidCreator.getUlid().toLowerCase();
    }

    /** The first column of a query. */
    private static List<String> column(Connection db, String sql, Object... values)
            throws SQLException {
        try (PreparedStatement statement = db.prepareStatement(sql)) {
            for (int n = 0; n < values.length; n++) {
                if (values[n] instanceof String string) {
                    statement.setString(n + 1, string);
                } else {
                    statement.setObject(n + 1, values[n]);
                }
            }
            List<String> found = new ArrayList<>();
            ResultSet rows = statement.executeQuery();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    private static SQLException errorOf(Connection db, String sql, String value) {
        try {
            column(db, sql, value);
            return null;
        } catch (SQLException error) {
            return error;
        }
    }

    private static void use(Connection db, String how) throws Exception {
        String lamp = column(db, "INSERT INTO product (name) VALUES (?) RETURNING id", "lamp")
                .get(0);
        check(how + "the default makes an id, RETURNING gives it", lamp.length(), 30);
        try (PreparedStatement insert = db.prepareStatement(
                "INSERT INTO product (name) VALUES ('chair')", new String[] {"id"})) {
            insert.executeUpdate();
            ResultSet keys = insert.getGeneratedKeys();
            keys.next();
            check(how + "so does getGeneratedKeys()", keys.getString("id").substring(0, 4), "prd_");
            check(how + "getObject() gives a PGobject of type pulid",
                    ((PGobject) keys.getObject("id")).getType(), "pulid");
        }

        String desk = newId();
        Array related = db.createArrayOf("pulid", new String[] {lamp, null});
        try (PreparedStatement insert = db.prepareStatement(
                "INSERT INTO product VALUES (?, ?, ?) RETURNING id, related")) {
            insert.setString(1, desk);
            insert.setString(2, "desk");
            insert.setArray(3, related);
            ResultSet row = insert.executeQuery();
            row.next();
            check(how + "an id of ulid-creator is stored as it is", row.getString(1), desk);
            Object[] back = (Object[]) row.getArray(2).getArray();
            check(how + "an array of ids and NULL comes back as objects that print as ids",
                    Arrays.asList(String.valueOf(back[0]), back[1]), Arrays.asList(lamp, null));
        }

        String byId = "SELECT name FROM product WHERE id = ?";
        check(how + "a string finds it", column(db, byId, desk), List.of("desk"));
        check(how + "so does IN",
                column(db, "SELECT name FROM product WHERE id IN (?, ?) ORDER BY name", lamp, desk),
                List.of("desk", "lamp"));
        for (String type : List.of("pulid", "varchar", "text")) {
            Array list = db.createArrayOf(type, new String[] {lamp, desk});
            check(how + "and = ANY with an array of " + type,
                    column(db, "SELECT name FROM product WHERE id = ANY (?) ORDER BY name", list),
                    List.of("desk", "lamp"));
        }
        check(how + "an array is searched by an array of pulid",
                column(db, "SELECT name FROM product WHERE related @> ?",
                        db.createArrayOf("pulid", new String[] {lamp})), List.of("desk"));
        check(how + "a pattern, as search boxes use",
                column(db, "SELECT name FROM product WHERE id ILIKE ?",
                        "%" + desk.substring(22).toUpperCase(Locale.ROOT)), List.of("desk"));
        try (PreparedStatement prepared = db.prepareStatement(byId)) {
            prepared.unwrap(org.postgresql.PGStatement.class).setPrepareThreshold(1);
            String name = null;
            for (int n = 0; n < 10; n++) { // then the plan is made without the value
                prepared.setString(1, desk);
                ResultSet row = prepared.executeQuery();
                row.next();
                name = row.getString(1);
            }
            check(how + "a server-side prepared statement finds it", name, "desk");
        }
        try (PreparedStatement plan = db.prepareStatement("EXPLAIN " + byId)) {
            db.createStatement().execute("SET enable_seqscan = off");
            plan.setString(1, desk);
            ResultSet row = plan.executeQuery();
            row.next();
            check(how + "by the primary key", row.getString(1).contains("product_pkey"), true);
        }

        String sale = column(db, "INSERT INTO sale (product, data) VALUES (?, ?::jsonb) "
                + "RETURNING id", desk, "{\"product\": \"" + desk + "\"}").get(0);
        check(how + "a join over the foreign key",
                column(db, "SELECT name FROM sale s JOIN product p ON p.id = product "
                        + "WHERE s.id = ?", sale), List.of("desk"));
        check(how + "the foreign key is updated",
                column(db, "UPDATE sale SET product = ? WHERE id = ? RETURNING product", lamp,
                        sale), List.of(lamp));
        check(how + "in JSON an id is a string",
                column(db, "SELECT to_jsonb(s) ->> 'id' FROM sale s WHERE id = ?", sale),
                List.of(sale));
        check(how + "a string in JSON joins with an id",
                column(db, "SELECT name FROM sale s JOIN product p ON p.id = data ->> 'product' "
                        + "WHERE s.id = ?", sale), List.of("desk"));
        try (PreparedStatement insert = db.prepareStatement(
                "INSERT INTO sale (product) VALUES (?) RETURNING product")) {
            insert.setNull(1, Types.VARCHAR);
            ResultSet row = insert.executeQuery();
            row.next();
            check(how + "NULL comes back as null", row.getString(1), null);
        }

        TreeSet<String> ids = new TreeSet<>(column(db, "SELECT id FROM product"));
        StringBuilder lines = new StringBuilder();
        try (PreparedStatement insert = db.prepareStatement(
                "INSERT INTO product (id, name) VALUES (?, ?)")) {
            for (int n = 0; n < 1000; n++) {
                String id = newId();
                ids.add(id);
                if (n < 500) {
                    insert.setString(1, id);
                    insert.setString(2, "bulk");
                    insert.addBatch();
                } else {
                    lines.append(id).append("\tbulk\n");
                }
            }
            insert.executeBatch(); // reWriteBatchedInserts in the URL makes it a few statements
        }
        db.unwrap(PGConnection.class).getCopyAPI()
                .copyIn("COPY product (id, name) FROM STDIN", new StringReader(lines.toString()));
        List<String> seen = new ArrayList<>();
        String last = "prd_" + "0".repeat(26);
        for (List<String> page; ; last = seen.get(seen.size() - 1)) {
            page = column(db, "SELECT id FROM product WHERE id > ? ORDER BY id LIMIT 300", last);
            if (page.isEmpty()) {
                break;
            }
            seen.addAll(page);
        }
        check(how + "a batch, COPY; pages by key give all, in order", seen, new ArrayList<>(ids));

        SQLException error = errorOf(db, "INSERT INTO sale (product) VALUES (?) RETURNING id",
                "usr_01jq3v8f6a7b2c8d9e0f1g2h3j");
        check(how + "a wrong prefix is a PSQLException", error instanceof PSQLException, true);
        check(how + "of state 23514", error.getSQLState(), "23514");
        error = errorOf(db, "UPDATE sale SET product = ? RETURNING id", "prd_junk");
        check(how + "junk is a PSQLException", error instanceof PSQLException, true);
        check(how + "of state 22P02", error.getSQLState(), "22P02");
        db.createStatement().execute("TRUNCATE product, sale");
    }

    public static void main(String[] args) throws Exception {
        String url = args[0] + (args[0].contains("?") ? "&" : "?") + "reWriteBatchedInserts=true";
        try (Connection db = DriverManager.getConnection(url)) {
            db.createStatement().execute(SCHEMA);
            ResultSet columns = db.getMetaData().getColumns(null, "public", "product", "id");
            columns.next();
            check("the metadata name the type", columns.getString("TYPE_NAME"), "pulid");
            use(db, "varchar: ");
            check("functions of the extension take no varchar",
                    errorOf(db, "SELECT pulid_prefix(?)", newId()).getSQLState(), "42883");
        }
        try (Connection db = DriverManager.getConnection(url + "&stringtype=unspecified")) {
            use(db, "unspecified: ");
            check("functions take a parameter without a type",
                    column(db, "SELECT pulid_prefix(?)", newId()), List.of("prd"));
        }
        System.out.printf("1..%d%n", checks);
        System.exit(failures > 0 ? 1 : 0);
    }
}
