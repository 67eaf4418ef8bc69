package example;

import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;

import org.hibernate.JDBCException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.exception.DataException;
import org.hibernate.query.Query;

/** pulid columns with Hibernate: attributes of type String. Takes the URL of a database. */
public final class Main {
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

    private static SessionFactory factory(String url, String action) {
        return new Configuration().addAnnotatedClass(Product.class).addAnnotatedClass(Sale.class)
                .setProperty("hibernate.connection.url", url)
                .setProperty("hibernate.hbm2ddl.auto", action)
                .setProperty("hibernate.jdbc.batch_size", 50)
                .buildSessionFactory();
    }

    private static List<String> names(Session session, String condition, String name,
            Object value) {
        return session
                .createQuery("select p.name from Product p where " + condition + " order by p.name",
                        String.class)
                .setParameter(name, value).getResultList();
    }

    private static JDBCException errorOf(SessionFactory factory, Object entity) {
        try {
            factory.inStatelessTransaction(session -> session.insert(entity));
            return null;
        } catch (JDBCException error) {
            return error;
        }
    }

    private static void use(Session session) {
        Product lamp = new Product("lamp");
        session.persist(lamp);
        check("the default makes an id, which persist() reads back", lamp.id.length(), 30);
        Product desk = new Product("desk");
        desk.related = new String[] {lamp.id, null};
        session.persist(desk);
        Sale sale = new Sale(desk);
        session.persist(sale);
        session.flush();
        session.clear();

        Sale stored = session.find(Sale.class, sale.id);
        check("an id of ulid-creator is stored as it is", stored.id, sale.id);
        check("a join over the foreign key", stored.product.name, "desk");
        lamp = session.find(Product.class, lamp.id);
        check("NULL comes back as null", lamp.related, null);
        check("an array of ids and NULL comes back as an array",
                Arrays.asList(stored.product.related), Arrays.asList(lamp.id, null));

        List<String> both = List.of(lamp.id, desk.id);
        check("a string finds it", names(session, "p.id = :id", "id", desk.id), List.of("desk"));
        check("so does a list", names(session, "p.id in :ids", "ids", both),
                List.of("desk", "lamp"));
        check("also multiLoad()", session.byMultipleIds(Product.class).multiLoad(both).size(), 2);
        check("like", names(session, "p.id like :start", "start", "prd_%"),
                List.of("desk", "lamp"));
        check("ilike", names(session, "p.id ilike :end", "end",
                "%" + desk.id.substring(22).toUpperCase(Locale.ROOT)), List.of("desk"));
        check("an array is searched in SQL", session.createNativeQuery(
                "select name from product where :id = any (related)", String.class)
                .setParameter("id", lamp.id).getResultList(), List.of("desk"));
        check("a function of the extension", session.createQuery(
                "select distinct function('pulid_prefix', p.id) from Product p", String.class)
                .getSingleResult(), "prd");
        check("in JSON an id is a string", session.createNativeQuery(
                "select to_jsonb(s) ->> 'product_id' from sale s", String.class)
                .getSingleResult(), desk.id);
        check("a string in JSON joins with an id", session.createNativeQuery(
                "select name from sale s join product p on p.id = to_jsonb(s) ->> 'product_id'",
                String.class).getSingleResult(), "desk");
        Query<String> prepared = session.createQuery("select name from Product where id = :id",
                String.class).setParameter("id", desk.id);
        TreeSet<String> found = new TreeSet<>();
        for (int n = 0; n < 12; n++) { // prepared by the driver, then planned without the value
            found.add(prepared.getSingleResult());
        }
        check("a prepared statement finds it", List.copyOf(found), List.of("desk"));

        stored.product = lamp;
        session.flush();
        check("the foreign key is updated", session.createQuery(
                "select s.product.name from Sale s where s.product.id = :id", String.class)
                .setParameter("id", lamp.id).getSingleResult(), "lamp");

        TreeSet<String> ids = new TreeSet<>();
        for (int n = 0; n < 1000; n++) {
            Sale bulk = new Sale(lamp);
            ids.add(bulk.id);
            session.persist(bulk);
        }
        session.flush();
        ids.add(sale.id);
        List<String> seen = new ArrayList<>();
        String last = "sal_" + "0".repeat(26);
        for (List<String> page;; last = seen.get(seen.size() - 1)) {
            page = session.createQuery("select id from Sale where id > :last order by id",
                    String.class).setParameter("last", last).setMaxResults(300).getResultList();
            if (page.isEmpty()) {
                break;
            }
            seen.addAll(page);
        }
        check("batches; pages by key give all, in order", seen, new ArrayList<>(ids));
    }

    public static void main(String[] args) throws Exception {
        String url = args[0];
        try (var db = DriverManager.getConnection(url)) {
            db.createStatement().execute("CREATE EXTENSION IF NOT EXISTS prefixed_ulid");
        }
        factory(url, "create").close();
        try (SessionFactory factory = factory(url, "validate")) {
            check("schema validation finds what the annotations say", factory.isOpen(), true);
            factory.inTransaction(Main::use);

            Sale wrong = new Sale(null);
            wrong.id = "usr_01jq3v8f6a7b2c8d9e0f1g2h3j";
            JDBCException error = errorOf(factory, wrong);
            check("a wrong prefix is a ConstraintViolationException",
                    error instanceof ConstraintViolationException, true);
            check("of state 23514", error.getSQLState(), "23514");
            wrong.id = "sal_junk";
            error = errorOf(factory, wrong);
            check("junk is a DataException", error instanceof DataException, true);
            check("of state 22P02", error.getSQLState(), "22P02");
        }
        System.out.printf("1..%d%n", checks);
        System.exit(failures > 0 ? 1 : 0);
    }
}
