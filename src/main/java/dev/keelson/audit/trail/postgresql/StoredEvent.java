package dev.keelson.audit.trail.postgresql;

import dev.keelson.audit.trail.TrailStore;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.nio.charset.StandardCharsets;
import org.hibernate.annotations.Immutable;

/** A row of the trail as it is read: what a search returns of it. */
@Entity
@Immutable
@Table(name = "audit_event")
class StoredEvent {

  /** The columns, for a native query. */
  static final String COLUMNS = "id, seq, json";

  @Id private String id = "";
  private long seq;
  private String json = "";

  /** For Hibernate. */
  protected StoredEvent() {}

  TrailStore.Entry entry() {
    return new TrailStore.Entry(id, seq, json.getBytes(StandardCharsets.UTF_8));
  }
}
