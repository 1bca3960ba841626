package dev.keelson.request;

/** Takes annotations for the audit events of a request. Safe for use by several threads. */
public interface AuditAnnotations {

  /** Of a request that nobody audits. */
  AuditAnnotations NONE = (key, value) -> {};

  /**
   * Adds an annotation; the first value of a key stays.
   *
   * @param key a qualified name, for example {@code authorization.k8s.io/decision}
   */
  void annotate(String key, String value);

  /**
   * Whether the events of the request show bodies (level Request and above), so that annotations
   * may as well.
   */
  default boolean showsBodies() {
    return false;
  }
}
