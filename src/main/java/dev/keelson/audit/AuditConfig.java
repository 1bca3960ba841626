package dev.keelson.audit;

import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import java.util.Set;

/**
 * How a request is recorded.
 *
 * @param level how much of it
 * @param omitStages at which stages no event is generated
 * @param omitManagedFields whether managedFields are left out of request and response objects
 */
public record AuditConfig(Level level, Set<Stage> omitStages, boolean omitManagedFields) {

  /** Nothing is recorded. */
  public static final AuditConfig NONE = new AuditConfig(Level.NONE, Set.of(), false);

  /** Metadata at every stage. */
  public static final AuditConfig METADATA = new AuditConfig(Level.METADATA, Set.of(), false);

  public AuditConfig {
    omitStages = Set.copyOf(omitStages);
  }
}
