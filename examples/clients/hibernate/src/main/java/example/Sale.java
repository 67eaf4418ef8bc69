package example;

import com.github.f4b6a3.ulid.UlidCreator;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/** Its id is made by the application. */
@Entity
public class Sale {
    @Id
    @Column(columnDefinition = "pulid('sal')")
    public String id = "sal_" + UlidCreator.getUlid().toLowerCase();

    /** The column gets the type of Product's id. */
    @ManyToOne
    public Product product;

    protected Sale() {
    }

    public Sale(Product product) {
        this.product = product;
    }
}
