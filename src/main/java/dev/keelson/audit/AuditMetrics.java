package dev.keelson.audit;

import dev.keelson.audit.event.Level;

/** Counts what happens to events. Called by any thread; must be quick. */
public interface AuditMetrics {

  /** An event was generated and handed to the back ends (apiserver_audit_event_total). */
  void event();

  /** Events were lost by a back end or a step before it (apiserver_audit_error_total). */
  void errors(String plugin, int count);

  /** A request was given a level by the policy (apiserver_audit_level_total). */
  void level(Level level);

  /** A request was refused for its event (apiserver_audit_requests_rejected_total). */
  void rejected();
}
