package example;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.annotations.ColumnDefault;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.Generated;

@Entity
public class Product {
    /** Made by the database, read back by insert ... returning. */
    @Id
    @Generated
    @Column(columnDefinition = "pulid('prd')")
    @ColumnDefault("pulid_generate('prd')")
    public String id;

    @Column(nullable = false)
    public String name;

    /** Read as text[]: the driver turns elements of a type that it does not know into objects. */
    @Column(columnDefinition = "pulid('prd')[]")
    @ColumnTransformer(read = "cast(related as text[])")
    public String[] related;

    protected Product() {
    }

    public Product(String name) {
        this.name = name;
    }
}
